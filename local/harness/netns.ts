import { execFileSync } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'

/** A machine's network of its own, with one cable to this machine. */
export interface Namespace {
  /** The address at which processes in it see this machine. */
  readonly outside: string
  /** What a command is put behind to run in it. */
  readonly prefix: readonly string[]
  /** Pulls the cable: what is open stays open and hears nothing. */
  unplug(): void
  plug(): void
  /** Limits the line, each way, to so many kilobits a second. */
  rate(kilobits: number): void
  /** Kills what runs in it. */
  kill(): void
  /** Kills what runs in it, and removes it. */
  remove(): void
}

const run = (line: string) => {
  const [program = '', ...words] = line.split(' ')
  return execFileSync(program, words, { encoding: 'utf8' })
}

/** Makes a namespace. As root on Linux only, with Debian's iproute2. */
export function makeNamespace(): Namespace {
  const name = `cst${randomBytes(4).toString('hex')}`
  const subnet = `10.${randomInt(200, 250)}.${randomInt(0, 256)}`
  const [outside, inside] = [`${subnet}.1`, `${subnet}.2`]
  const [near, far] = [`${name}o`, `${name}i`]
  run(`ip netns add ${name}`)
  run(`ip link add ${near} type veth peer name ${far} netns ${name}`)
  run(`ip addr add ${outside}/30 dev ${near}`)
  run(`ip link set ${near} up`)
  // `ip netns exec` would mount another /sys too, in which an Engine finds no cgroups.
  const within = `nsenter --net=/run/netns/${name}`
  run(`${within} ip link set lo up`)
  run(`${within} ip addr add ${inside}/30 dev ${far}`)
  run(`${within} ip link set ${far} up`)
  const kill = () => killAll(run(`ip netns pids ${name}`).split('\n'))
  return {
    outside,
    prefix: within.split(' '),
    unplug: () => void run(`ip link set ${near} down`),
    plug: () => void run(`ip link set ${near} up`),
    rate(kilobits) {
      const limit = `root tbf rate ${kilobits}kbit burst 16kb latency 300ms`
      run(`tc qdisc replace dev ${near} ${limit}`)
      run(`${within} tc qdisc replace dev ${far} ${limit}`)
    },
    kill,
    remove() {
      kill()
      run(`ip netns del ${name}`)
    },
  }
}

/** Kills processes, of which some may have ended. */
export function killAll(ids: readonly string[]): void {
  for (const id of ids.map(Number).filter((one) => one > 1)) {
    try {
      process.kill(id, 'SIGKILL')
    } catch {
      // it has ended meanwhile
    }
  }
}
