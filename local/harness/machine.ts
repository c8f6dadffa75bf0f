import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { present } from '../../adapters/testing/present.ts'
import { ensureBusybox } from '../setup/busybox.mjs'
import { engineResponds } from '../setup/engine-api.mjs'
import { boundToParent } from './bound-process.ts'
import { killAll, makeNamespace, type Namespace } from './netns.ts'

/** A simulated second machine: a network and a Docker Engine of its own. */
export interface Machine {
  network: Namespace
  /** Everything of its Engine, as the socket `docker.sock`. */
  directory: string
  /** The environment for programs that use its Engine. */
  env: { DOCKER_HOST: string }
  docker(...args: string[]): string
  /** Starts its Engine, with further options of `dockerd`. */
  boot(...more: string[]): Promise<void>
  /** Lets the Engine end as it does when a machine is shut down: it stops its containers. */
  shutDown(): Promise<void>
  /** Kills the Engine alone: processes of containers go on. `boot` starts it again. */
  killEngine(): Promise<void>
  /**
   * Kills everything there at once: the Engine, containers and processes started behind the
   * network's prefix.
   */
  powerOff(): void
  remove(): void
}

/** Options of a machine. */
export interface MachineOptions {
  /** Gives its Engine the default network that Engines have. */
  bridge?: boolean
  /** The addresses of which its Engine takes those of networks, and the length of each prefix. */
  addresses?: { base: string; size: number }
}

/** Starts a machine with the image `busybox:latest`. Requires root on Linux. */
export async function startMachine(options: MachineOptions = {}): Promise<Machine> {
  const network = makeNamespace()
  const directory = mkdtempSync(join(tmpdir(), 'container-stacks-machine-'))
  const env = { DOCKER_HOST: `unix://${directory}/docker.sock` }
  const docker = (...args: string[]) =>
    execFileSync('docker', args, { encoding: 'utf8', env: { ...process.env, ...env } }).trim()
  let engine: ChildProcess | undefined
  const machine: Machine = {
    network,
    directory,
    env,
    docker,
    async boot(...more) {
      engine = startEngine(network, directory, options, more)
      while (!(await engineResponds(env))) {
        if (engine.exitCode !== null) throw new Error(readFileSync(`${directory}/log`, 'utf8'))
        await pause(50)
      }
    },
    async shutDown() {
      const ending = engine
      if (!ending || ending.exitCode !== null) return
      const ended = new Promise((resolve) => ending.once('exit', resolve))
      ending.kill('SIGTERM')
      await ended
    },
    async killEngine() {
      const ended = new Promise((resolve) => engine?.once('exit', resolve))
      engine?.kill('SIGKILL')
      await ended
      endContainerd(directory)
    },
    powerOff() {
      const ids = docker('ps', '-q').split('\n').filter(Boolean)
      const containers = ids.length > 0 ? docker('inspect', '-f', '{{.State.Pid}}', ...ids) : ''
      network.kill()
      killAll(containers.split('\n'))
      unmount(directory)
      // After a boot /run is empty.
      for (const name of ['run', 'pid'])
        rmSync(join(directory, name), { recursive: true, force: true })
    },
    remove() {
      if (engine?.exitCode === null) machine.powerOff()
      network.remove()
      unmount(directory)
      rmSync(directory, { recursive: true, force: true })
    },
  }
  await machine.boot()
  if (!(await ensureBusybox({ environment: env, print: () => {} }))) throw new Error('no image')
  return machine
}

/**
 * The kernel kills it with its `dockerd`. What is left of it until its parent has taken note looks
 * alive to the next `dockerd`, which would wait for it.
 */
function endContainerd(directory: string): void {
  const file = join(directory, 'run/containerd/containerd.pid')
  // With a containerd of the system there is none.
  if (!existsSync(file)) return
  killAll([readFileSync(file, 'utf8')])
  rmSync(file)
}

function startEngine(
  { prefix }: Namespace,
  directory: string,
  { bridge = false, addresses }: MachineOptions,
  more: readonly string[],
): ChildProcess {
  const at = (name: string) => join(directory, name)
  const [program = '', ...words] = prefix
  const places = ['--data-root', at('data'), '--exec-root', at('run'), '--pidfile', at('pid')]
  const own = bridge ? [] : ['--bridge', 'none']
  const pool = addresses && `base=${addresses.base},size=${addresses.size}`
  const pools = pool ? ['--default-address-pool', pool] : []
  const apart = [...own, ...pools, '--iptables=false', '--ip6tables=false']
  const socket = `unix://${at('docker.sock')}`
  const line = [...words, 'dockerd', '-H', socket, ...places, ...apart, ...more]
  const script = ['-c', `exec "$0" "$@" >${at('log')} 2>&1`, program, ...line]
  return spawn(...boundToParent('sh', script), { stdio: 'ignore' })
}

function unmount(directory: string): void {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
  const own = mounts.map((line) => line.split(' ')[1]).filter((at) => at?.startsWith(directory))
  for (const at of own.reverse()) execFileSync('umount', ['-l', present(at)])
}
