"""UDPipe 1 as an external parser of Treebound: what the commands of [[external]] in ../ewt.toml run.

It needs the package ufal.udpipe in the Python that is first on the path:

    python3 -m venv udpipe && . udpipe/bin/activate && pip install ufal.udpipe==1.3.1.1

Words, tags and trees are taken from the files as they are; UDPipe's own tokenizer and tagger are never used. A file has
ten columns a word and an empty line after each sentence. What is written is what was read, with columns 7 and 8 filled
in: no sentence and no word can be lost.
"""

import argparse
import random
import sys
from importlib import metadata

PACKAGE = "ufal.udpipe"
# The only version that is used. `version` prints it where the package is not installed too, so results that stand keep
# their keys there.
VERSION = "1.3.1.1"

# The numbers of columns, from 0.
FORM, COARSE, FINE, HEAD, RELATION = 1, 3, 4, 6, 7

# What UDPipe's parser is told. `train` takes other values as KEY=VALUE.
SETTINGS = {
    "transition_system": "projective",
    "transition_oracle": "dynamic",
    "single_root": "1",
    # One of so many sentences is also learnt from by trying where each transition leads. 0 is never, and much faster.
    "structured_interval": "0",
    "embedding_form": "40",
    "embedding_upostag": "10",
    "embedding_xpostag": "15",
    # The files have no lemmas and no morphological features.
    "embedding_lemma": "0",
    "embedding_feats": "0",
    # Relations are only `root` and `dep`. They still tell words that have a head from those that have none yet.
    "embedding_deprel": "5",
    "hidden_layer": "100",
    "iterations": "8",
    "batch_size": "10",
    "learning_rate": "0.005",
    "learning_rate_final": "0.001",
    "l2": "0.5",
    # The iteration is taken that parses the development part best.
    "early_stopping": "1",
}


class Fault(Exception):
    """What is wrong, and where."""


def load():
    """The package, in the version that is wanted."""
    mend = f"in a virtual environment run `pip install {PACKAGE}=={VERSION}`, and activate it before Treebound starts"
    try:
        from ufal import udpipe
    except ImportError as error:
        raise Fault(f"{sys.executable} cannot import {PACKAGE} ({error}): {mend}") from error
    found = metadata.version(PACKAGE)
    if found != VERSION:
        raise Fault(f"{sys.executable} has {PACKAGE} {found}, and {VERSION} is needed: {mend}")
    return udpipe


def read(path):
    """The sentences of a file: lists of words, which are lists of ten columns."""
    try:
        with open(path, encoding="utf-8", newline="\n") as file:
            lines = file.read().split("\n")
    except UnicodeDecodeError as error:
        raise Fault(f"{path}: the file is not in UTF-8: {error}") from error
    sentences, words = [], []
    for number, line in enumerate(lines, 1):
        if line:
            columns = line.split("\t")
            if len(columns) != 10:
                raise Fault(f"{path}:{number}: {len(columns)} columns where 10 are needed, with tabs between them")
            words.append(columns)
        elif words:
            sentences.append(words)
            words = []
    if words:
        sentences.append(words)
    if not sentences:
        raise Fault(f"{path}: the file has no sentences")
    return sentences


def text(words):
    return " ".join(columns[FORM] for columns in words)


def untreed(udpipe, words):
    """A sentence as UDPipe has it, without heads."""
    sentence = udpipe.Sentence()
    for columns in words:
        word = sentence.addWord(columns[FORM])
        word.upostag, word.xpostag = columns[COARSE], columns[FINE]
    return sentence


def treebank(udpipe, path):
    """The sentences of a file as UDPipe has them, with their trees."""
    sentences = []
    for words in read(path):
        sentence = untreed(udpipe, words)
        for number, columns in enumerate(words, 1):
            head = columns[HEAD]
            if not head.isdecimal() or int(head) > len(words):
                raise Fault(f"{path}: word {number} of `{text(words)}` has the head `{head}`, which is no word of it")
            sentence.setHead(number, int(head), columns[RELATION])
        sentences.append(sentence)
    return sentences


def options(changes):
    """The settings as UDPipe takes them. It passes over keys that it does not know, so they are checked here."""
    settings = dict(SETTINGS)
    for change in changes:
        key, equals, value = change.partition("=")
        if not equals or key not in settings:
            raise Fault(f"`{change}` is no setting: KEY=VALUE is needed, and KEY is one of {', '.join(settings)}")
        settings[key] = value
    return ";".join(f"{key}={value}" for key, value in settings.items())


def train(arguments):
    chosen = options(arguments.settings)
    udpipe = load()
    sentences = treebank(udpipe, arguments.train)
    # UDPipe's own random numbers always begin at the same seed. So the seed decides in which order it gets sentences.
    random.Random(arguments.seed).shuffle(sentences)
    parts = udpipe.Sentences(sentences), udpipe.Sentences(treebank(udpipe, arguments.dev))
    none, error = udpipe.Trainer.NONE, udpipe.ProcessingError()
    model = udpipe.Trainer.train("morphodita_parsito", *parts, none, none, chosen, error)
    if error.occurred():
        raise Fault(f"UDPipe cannot learn from {arguments.train}: {error.message}")
    with open(arguments.model, "wb") as file:
        file.write(model)


def parse(arguments):
    udpipe = load()
    model = udpipe.Model.load(arguments.model)
    if model is None:
        raise Fault(f"{arguments.model}: the file is missing, or no model of this UDPipe; train it again")
    error = udpipe.ProcessingError()
    sentences = read(arguments.input)
    with open(arguments.output, "w", encoding="utf-8", newline="\n") as file:
        for words in sentences:
            sentence = untreed(udpipe, words)
            if not model.parse(sentence, udpipe.Model.DEFAULT, error):
                raise Fault(f"{arguments.input}: UDPipe cannot parse `{text(words)}`: {error.message}")
            # The first of UDPipe's words is the root.
            for columns, word in zip(words, list(sentence.words)[1:]):
                columns[HEAD], columns[RELATION] = str(word.head), word.deprel
                file.write("\t".join(columns) + "\n")
            file.write("\n")


def version(_):
    print(PACKAGE, VERSION)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(required=True, metavar="VERB")
    verb = verbs.add_parser("train", help="learn a model")
    verb.add_argument("train", help="the sentences to learn from")
    verb.add_argument("dev", help="the sentences to choose the iteration by")
    verb.add_argument("model", help="the file to make")
    verb.add_argument("seed", type=int, help="what decides the order of the sentences")
    verb.add_argument("settings", nargs="*", metavar="KEY=VALUE", help="a setting of UDPipe's parser")
    verb.set_defaults(run=train)
    verb = verbs.add_parser("parse", help="parse sentences")
    verb.add_argument("model", help="the model")
    verb.add_argument("input", help="the sentences")
    verb.add_argument("output", help="the file to make")
    verb.set_defaults(run=parse)
    verb = verbs.add_parser("version", help="print the version")
    verb.set_defaults(run=version)
    arguments = parser.parse_args()
    try:
        arguments.run(arguments)
    except (Fault, OSError) as fault:
        sys.exit(f"udpipe.py: {fault}")


if __name__ == "__main__":
    main()
