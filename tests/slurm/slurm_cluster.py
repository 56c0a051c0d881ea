"""A Slurm of two virtual nodes on this machine, for as long as a test takes. Needs root, no systemd and no network but
loopback."""
import os
import pathlib
import secrets
import shutil
import socket
import subprocess
import time

PACKAGES = "slurmctld slurmd slurm-client munge"
PROGRAMS = ("slurmctld", "slurmd", "srun", "sbatch", "sinfo", "scontrol", "munged")
NODES = ("convoy1", "convoy2")
CPUS = 2

CONFIGURATION = """
ClusterName=convoytest
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
SlurmctldPort={controller_port}
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmdSpoolDir={folder}/spool-%n
StateSaveLocation={folder}/state
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
TmpFS={folder}/tmp-%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1
MpiDefault=none
ReturnToService=2
KillWait=5
{nodes}
PartitionName=all Nodes={names} Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO
"""


def why_not():
    """The reason why a cluster cannot run here; None when it can."""
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    if missing:
        return f"no {', '.join(missing)} (Debian: {PACKAGES}, without recommended packages)"
    return None if os.geteuid() == 0 else "slurmd has to be run by root"


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class SlurmCluster:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.daemons = []
        self.environment = dict(os.environ, SLURM_CONF=str(self.folder / "slurm.conf"),
                                # TCP only: MPI would use shared memory, as both virtual nodes are this machine, but
                                # Slurm gives each its own.
                                OMPI_MCA_btl="tcp,self")

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        self.write_configuration()
        self.daemon("munged", "--foreground", "--force", f"--socket={self.folder}/munge.socket",
                    f"--key-file={self.folder}/munge.key", f"--pid-file={self.folder}/munged.pid",
                    f"--log-file={self.folder}/munged.log", f"--seed-file={self.folder}/munge.seed")
        self.wait_for("munged", lambda: (self.folder / "munge.socket").exists())
        self.daemon("slurmctld", "-D")
        for node in NODES:
            self.daemon("slurmd", "-D", "-N", node)
        self.wait_for("nodes", self.nodes_are_idle)

    def write_configuration(self):
        self.folder.chmod(0o755)
        key = self.folder / "munge.key"
        key.write_bytes(secrets.token_bytes(128))
        key.chmod(0o600)
        for name in ("state", *(f"{kind}-{node}" for node in NODES for kind in ("spool", "tmp"))):
            (self.folder / name).mkdir()
        ports = free_ports(1 + len(NODES))
        nodes = "\n".join(f"NodeName={node} NodeHostname={socket.gethostname()} NodeAddr=127.0.0.1 Port={port} CPUs={CPUS}"
                          for node, port in zip(NODES, ports[1:]))
        (self.folder / "slurm.conf").write_text(
            CONFIGURATION.format(folder=self.folder, host=socket.gethostname(), controller_port=ports[0], nodes=nodes,
                                 names=",".join(NODES)))

    def daemon(self, *command):
        with open(self.folder / f"{command[0]}-{len(self.daemons)}.out", "wb") as log:
            self.daemons.append(subprocess.Popen(command, env=self.environment, stdin=subprocess.DEVNULL, stdout=log,
                                                 stderr=log))

    def run(self, *command, **more):
        return subprocess.run([str(word) for word in command], env=self.environment, capture_output=True, text=True,
                              check=False, timeout=180, **more)

    def nodes_are_idle(self):
        states = self.run("sinfo", "--noheader", "--Node", "--format=%T").stdout.split()
        return states == ["idle"] * len(NODES)

    def wait_for(self, what, is_there, seconds=60):
        end = time.monotonic() + seconds
        while not is_there():
            dead = [daemon.args[0] for daemon in self.daemons if daemon.poll() is not None]
            if dead or time.monotonic() > end:
                logs = "\n".join(path.read_text(errors="replace")[-2000:] for path in self.folder.glob("*.out"))
                raise RuntimeError(f"waited for {what} in vain; ended: {dead}\n{logs}")
            time.sleep(0.1)

    def stop(self):
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in reversed(self.daemons):
            try:
                daemon.wait(20)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
