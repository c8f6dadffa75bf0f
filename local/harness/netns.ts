import { execFileSync } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'

/** A network namespace with one link to this machine. */
export interface Namespace {
  /** The address of this machine as seen from the namespace. */
  readonly outside: string
  /** Words in front of a command that run it in the namespace. */
  readonly prefix: readonly string[]
  /** Takes the link down. Open connections stay open without receiving data. */
  unplug(): void
  plug(): void
  /** Lets the namespace reach, at `outside`, what listens only on 127.0.0.1 of this machine. */
  openLoopback(): void
  /** Limits the link to this many kilobits per second, in each direction, or not at all. */
  rate(kilobits?: number): void
  /** Kills the processes in it. */
  kill(): void
  /** Kills the processes in it and removes it. */
  remove(): void
}

const run = (line: string) => {
  const [program = '', ...words] = line.split(' ')
  return execFileSync(program, words, { encoding: 'utf8' })
}

/** Creates a namespace. Requires root on Linux with Debian's iproute2. */
export function makeNamespace(): Namespace {
  const name = `cst${randomBytes(4).toString('hex')}`
  const subnet = `10.${randomInt(200, 250)}.${randomInt(0, 256)}`
  const [outside, inside] = [`${subnet}.1`, `${subnet}.2`]
  const [near, far] = [`${name}o`, `${name}i`]
  run(`ip netns add ${name}`)
  run(`ip link add ${near} type veth peer name ${far} netns ${name}`)
  run(`ip addr add ${outside}/30 dev ${near}`)
  run(`ip link set ${near} up`)
  // `ip netns exec` would also mount another /sys, in which an Engine finds no cgroups.
  const within = `nsenter --net=/run/netns/${name}`
  run(`${within} ip link set lo up`)
  run(`${within} ip addr add ${inside}/30 dev ${far}`)
  run(`${within} ip link set ${far} up`)
  const rule = `PREROUTING -i ${near} -d ${outside} -p tcp -j DNAT --to-destination 127.0.0.1`
  let isLoopbackOpen = false
  const kill = () => killAll(run(`ip netns pids ${name}`).split('\n'))
  return {
    outside,
    prefix: within.split(' '),
    unplug: () => void run(`ip link set ${near} down`),
    plug: () => void run(`ip link set ${near} up`),
    openLoopback() {
      run(`sysctl -q -w net.ipv4.conf.${near}.route_localnet=1`)
      run(`iptables -w -t nat -A ${rule}`)
      isLoopbackOpen = true
    },
    rate(kilobits = 0) {
      const links = [`tc qdisc replace dev ${near}`, `${within} tc qdisc replace dev ${far}`]
      // At least the bytes of one tick of the kernel: a smaller burst would limit fast lines.
      const burst = Math.max(16_384, Math.round(kilobits / 2))
      const limit = `tbf rate ${kilobits}kbit burst ${burst} latency 300ms`
      for (const link of links) run(`${link} root ${kilobits ? limit : 'noqueue'}`)
    },
    kill,
    remove() {
      kill()
      if (isLoopbackOpen) run(`iptables -w -t nat -D ${rule}`)
      run(`ip netns del ${name}`)
    },
  }
}

/** Kills processes. Ignores those that have already exited. */
export function killAll(ids: readonly string[]): void {
  for (const id of ids.map(Number).filter((one) => one > 1)) {
    try {
      process.kill(id, 'SIGKILL')
    } catch {
      // it has exited meanwhile
    }
  }
}
