"""Makes and reads files for the tests without code of Convoy's, which would be judging its own work."""
import array
import csv
import json
import struct
import zlib


def read_safetensors(path):
    """Name -> (shape, bytes) of every tensor, and the metadata."""
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + length])
    metadata = header.pop("__metadata__", {})
    tensors = {}
    for name, entry in header.items():
        begin, end = (8 + length + offset for offset in entry["data_offsets"])
        tensors[name] = (entry["shape"], data[begin:end])
    return tensors, metadata


def floats(data):
    return array.array("f", data)


def write_png(path, width, height, rgb):
    """A PNG of one colour."""
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    rows = (b"\0" + bytes(rgb) * width) * height
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
                     chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def write_photos(folder, size):
    """An image folder of two classes, dark and light."""
    for name, shade in (("dark", 20), ("light", 200)):
        (folder / name).mkdir(parents=True)
        for k in range(10):
            write_png(folder / name / f"{k}.png", size, size, (shade + k, shade, shade))


def averaged(run):
    """The tensors of the moving average of the weights."""
    return read_safetensors(run / "averaged.safetensors")[0]


def epoch_losses(run):
    """The rows of epochs.csv without the columns of times, which differ from run to run."""
    with open(run / "epochs.csv", encoding="utf-8") as file:
        return [{key: row[key] for key in ("epoch", "end_step", "samples", "train_loss", "train_accuracy", "test_loss",
                                           "test_top1", "learning_rate")} for row in csv.DictReader(file)]


def summary(run):
    return json.loads((run / "summary.json").read_text())


def checkpoint_steps(run):
    """The steps of complete checkpoints, in order."""
    return sorted(int(folder.name[5:]) for folder in (run / "checkpoints").glob("step-?????????")
                  if folder.name[5:].isdigit())


def weights(run, step=None):
    """The weights file of a step; of the newest checkpoint if left out."""
    step = checkpoint_steps(run)[-1] if step is None else step
    return run / "checkpoints" / f"step-{step:09d}" / "weights.safetensors"
