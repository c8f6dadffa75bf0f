import { spawn, spawnSync } from 'node:child_process'
import { accessSync, closeSync, constants, existsSync, openSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { engineAddress, engineResponds } from './engine-api.mjs'
import { livingEngine, removeStalePidFiles } from './living-engine.mjs'
import { canInstall, ensurePackages } from './packages.mjs'
import { findProcess, textOf } from './processes.mjs'

export { ensureBusybox } from './busybox.mjs'

/** The socket of an Engine that is started here. */
const defaultSocket = '/var/run/docker.sock'

/** Milliseconds. A busy Engine may take this long to respond. */
const busyDeadline = 30_000

/** The option that makes `dockerd` run without the support of the kernel for iptables. */
const withoutIptables = ['--iptables=false', '--ip6tables=false']

/**
 * Ensures that a Docker Engine responds at DOCKER_HOST or at the default socket. As root on Debian
 * or Ubuntu it installs and starts one, and prints that. The Engine keeps running after this
 * process. Elsewhere it prints what to do and returns false. Never throws.
 *
 * An Engine that runs but does not respond gets 30 s; no other one is started beside it.
 *
 * @param {object} [settings]
 * @param {(line: string) => void} [settings.print]
 * @param {NodeJS.ProcessEnv} [settings.environment]
 * @param {boolean} [settings.complete] returns false rather than accept or start an Engine without
 *   iptables. Tests would pass or fail differently there.
 */
export async function ensureEngine({
  print = console.log,
  environment = process.env,
  complete = false,
} = {}) {
  let address
  try {
    address = engineAddress(environment)
  } catch {
    print(`DOCKER_HOST=${environment.DOCKER_HOST} is not an address that can be used`)
    return false
  }
  const isDefault =
    address.socketPath === defaultSocket || address.socketPath === '/run/docker.sock'
  if (await engineResponds(environment)) return !(complete && isDefault) || isComplete(print)
  if (!isDefault) {
    print(`No Docker Engine answers at DOCKER_HOST=${environment.DOCKER_HOST}`)
    return false
  }
  const waited = await waitForLiving(print)
  if (waited !== undefined) return waited && (!complete || isComplete(print))
  if (!canInstall()) {
    print(
      'No Docker Engine answers at /var/run/docker.sock. Install and start one (on Debian or Ubuntu, as root: ' +
        'apt-get install -y --no-install-recommends docker.io iptables ca-certificates && service docker start), ' +
        'allow this user to use it (usermod -aG docker $USER), or set DOCKER_HOST.',
    )
    return false
  }
  const installed = existsSync('/usr/sbin/dockerd') || existsSync('/usr/bin/dockerd')
  const packages = ['docker.io', 'iptables', 'ca-certificates']
  if (!installed && !ensurePackages(packages, 'the Docker Engine', print)) return false
  const started = (await startService(print)) || (await waitForLiving(print))
  return started ?? startEngine({ print, complete, options: addressPools() })
}

/**
 * Waits for an Engine that runs and does not respond. Returns whether it does at last, or undefined
 * if none runs or it ends.
 *
 * @param {(line: string) => void} print
 */
async function waitForLiving(print) {
  const engine = isDenied(defaultSocket) ? undefined : livingEngine()
  if (!engine) return undefined
  print(`The Docker Engine (process ${engine.pid}) runs and does not respond: waiting up to 30 s`)
  const lives = () => findProcess(engine.pid)?.started === engine.started
  let responds = false
  await waitUntil(async () => {
    responds = await engineResponds({})
    return responds || !lives()
  }, busyDeadline)
  if (responds) return true
  if (!lives()) return undefined
  print(`The Docker Engine (process ${engine.pid}) has not responded for 30 s: restart it`)
  return false
}

/** Returns whether this user must not use a socket. Waiting would not help then. */
function isDenied(/** @type {string} */ socket) {
  try {
    accessSync(socket, constants.R_OK | constants.W_OK)
    return false
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EACCES'
  }
}

/**
 * Returns whether the Engine at the default socket uses iptables.
 *
 * @param {(line: string) => void} print
 */
function isComplete(print) {
  const engine = livingEngine()
  if (!engine?.words.includes(withoutIptables[0] ?? '')) return true
  print(
    `The Docker Engine (process ${engine.pid}) runs without iptables, and tests need that: stop it`,
  )
  return false
}

/**
 * Returns the option for 256 networks of 254 addresses. By default an Engine has 31 networks, which
 * a few killed test runs can use up. A configuration file with such an option excludes it.
 */
export function addressPools(configuration = textOf('/etc/docker/daemon.json')) {
  if (configuration.includes('default-address-pools')) return []
  return ['--default-address-pool', 'base=10.253.0.0/16,size=24']
}

/**
 * On systems with systemd the Engine is a service, so it also starts after a reboot.
 *
 * @param {(line: string) => void} print
 */
async function startService(print) {
  if (!existsSync('/run/systemd/system')) return false
  print('Starting the Docker Engine (systemctl start docker)')
  spawnSync('systemctl', ['start', 'docker'], { stdio: 'ignore' })
  return waitUntil(() => engineResponds({}), 15_000)
}

/**
 * Starts `dockerd` as a separate process and waits until it responds. If it exits, retries once
 * without iptables, because some containers and virtual machines lack the kernel support. Returns
 * false, after printing the end of the log, if neither works. `options` are arguments of `dockerd`,
 * `environment` determines its address. `complete` omits the retry.
 *
 * @param {object} [settings]
 * @param {(line: string) => void} [settings.print]
 * @param {string[]} [settings.options]
 * @param {NodeJS.ProcessEnv} [settings.environment]
 * @param {boolean} [settings.complete]
 */
export async function startEngine({
  print = console.log,
  options = [],
  environment = {},
  complete = false,
} = {}) {
  const log = join(existsSync('/var/log') ? '/var/log' : tmpdir(), 'container-stacks-dockerd.log')
  for (const more of complete ? [[]] : [[], withoutIptables]) {
    removeStalePidFiles(print)
    print(`Starting the Docker Engine (dockerd ${[...options, ...more].join(' ')}), log in ${log}`)
    const engine = launch([...options, ...more], log, more.length > 0 ? 'a' : 'w')
    const answered = await waitUntil(
      async () => engine.ended() || engineResponds(environment),
      60_000,
    )
    if (answered && !engine.ended()) return true
    if (!engine.ended()) {
      print(`The Docker Engine does not respond after 60 s. The end of ${log}:\n${tail(log)}`)
      return false
    }
  }
  print(`The Docker Engine does not start. The end of ${log}:\n${tail(log)}`)
  return false
}

/** @type {(options: string[], log: string, flags: string) => { ended: () => boolean }} */
function launch(options, log, flags) {
  const output = openSync(log, flags)
  const child = spawn('dockerd', options, { detached: true, stdio: ['ignore', output, output] })
  closeSync(output)
  let ended = false
  const end = () => {
    ended = true
  }
  child.on('error', end)
  child.on('exit', end)
  child.unref()
  return { ended: () => ended }
}

/** @type {(condition: () => Promise<boolean>, milliseconds: number) => Promise<boolean>} */
async function waitUntil(condition, milliseconds) {
  const end = Date.now() + milliseconds
  while (Date.now() < end) {
    if (await condition()) return true
    await pause(100)
  }
  return false
}

/** Returns the last lines of a file. */
function tail(/** @type {string} */ file) {
  try {
    return readFileSync(file, 'utf8').trim().split('\n').slice(-15).join('\n')
  } catch {
    return '(no log)'
  }
}
