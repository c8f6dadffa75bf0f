import { spawn, spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { engineAddress, engineResponds } from './engine-api.mjs'
import { canInstall, ensurePackages } from './packages.mjs'

export { ensureBusybox } from './busybox.mjs'

/** The socket of an Engine that is started here. */
const defaultSocket = '/var/run/docker.sock'

/**
 * Ensures that a Docker Engine responds at DOCKER_HOST or at the default socket. As root on Debian
 * or Ubuntu it installs and starts one, and prints that. The Engine keeps running after this
 * process. Elsewhere it prints what to do and returns false. Never throws.
 */
export async function ensureEngine({ print = console.log, environment = process.env } = {}) {
  let address
  try {
    address = engineAddress(environment)
  } catch {
    print(`DOCKER_HOST=${environment.DOCKER_HOST} is not an address that can be used`)
    return false
  }
  if (await engineResponds(environment)) return true
  if (address.socketPath !== defaultSocket && address.socketPath !== '/run/docker.sock') {
    print(`No Docker Engine answers at DOCKER_HOST=${environment.DOCKER_HOST}`)
    return false
  }
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
  return (await startService(print)) || startEngine({ print })
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
 * `environment` determines its address.
 *
 * @param {object} [settings]
 * @param {(line: string) => void} [settings.print]
 * @param {string[]} [settings.options]
 * @param {NodeJS.ProcessEnv} [settings.environment]
 */
export async function startEngine({ print = console.log, options = [], environment = {} } = {}) {
  const log = join(existsSync('/var/log') ? '/var/log' : tmpdir(), 'container-stacks-dockerd.log')
  for (const more of [[], ['--iptables=false', '--ip6tables=false']]) {
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
