"""The same network, weights and samples in PyTorch: the same losses and gradients."""
import numpy
import pytest

import convoy
from conftest import stripes

torch = pytest.importorskip("torch")


def test_steps_are_those_of_torch():
    graph = convoy.Graph()
    x = convoy.input(graph, (1, 8, 8))
    x = convoy.relu(convoy.batch_norm(convoy.conv(x, out=8, kernel=3, pad=1, bias=False, name="0"), name="1"))
    x = convoy.max_pool(convoy.conv(x, out=6, kernel=3, pad=1, groups=2, name="3"), kernel=2, stride=2)
    convoy.softmax_cross_entropy(convoy.dense(convoy.flatten(x), out=3, name="6"))
    model = convoy.Model(graph, batch=16, threads=1, exact=True, weight_decay=1e-3, decay_all=True)
    twin = torch.nn.Sequential(torch.nn.Conv2d(1, 8, 3, padding=1, bias=False), torch.nn.BatchNorm2d(8), torch.nn.ReLU(),
                               torch.nn.Conv2d(8, 6, 3, padding=1, groups=2), torch.nn.MaxPool2d(2),
                               torch.nn.Flatten(), torch.nn.Linear(96, 3))
    twin.load_state_dict({name: torch.from_numpy(values.copy()) for name, values in model.weights.items()}, strict=False)
    optimizer = torch.optim.SGD(twin.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-3)
    images, labels = stripes(64)
    for step in range(8):
        rows = slice(16 * (step % 4), 16 * (step % 4) + 16)
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(twin(torch.from_numpy(images[rows])), torch.from_numpy(labels[rows]))
        loss.backward()
        if step == 0:
            own, gradients = model.gradients(images[rows], labels[rows])
            assert own == pytest.approx(loss.item(), rel=1e-5)
            for name, parameter in twin.named_parameters():
                assert gradients[name] == pytest.approx(parameter.grad.numpy(), abs=1e-5), name
            # Computing gradients has changed the running statistics; reset them.
            model.set_weights({"1.running_mean": numpy.zeros(8, numpy.float32),
                               "1.running_var": numpy.ones(8, numpy.float32)})
        optimizer.step()
        assert model.step(images[rows], labels[rows], lr=0.1) == pytest.approx(loss.item(), rel=1e-4)
    twin.eval()
    with torch.no_grad():
        expected = twin(torch.from_numpy(images)).softmax(1).numpy()
    assert model.predict(images) == pytest.approx(expected, abs=1e-4)
