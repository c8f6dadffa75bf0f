import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { findProcess, namesIn, textOf } from './processes.mjs'

/** How long `apt-get` waits for another one to end. */
const waiting = '-o DPkg::Lock::Timeout=300'

/**
 * Ensures that Debian packages are installed. As root on Debian or Ubuntu it installs missing ones
 * and prints that. Elsewhere it prints the command and returns false. `why` ends the printed
 * sentence. `idle` keeps the services of the packages from starting, because tests start what they
 * need on their own ports.
 *
 * @param {string[]} names
 * @param {string} why
 * @param {(line: string) => void} [print]
 */
export function ensurePackages(names, why, print = console.log, { idle = false } = {}) {
  if (canInstall()) removeLeftPolicy(print)
  const missing = names.filter((name) => !isInstalled(name))
  if (missing.length === 0) return true
  const command = `apt-get ${waiting} install -y --no-install-recommends ${missing.join(' ')}`
  if (!canInstall()) {
    print(`Missing for ${why}: ${missing.join(', ')}. On Debian or Ubuntu, as root: ${command}`)
    return false
  }
  print(`Installing ${missing.join(', ')} for ${why} (${command})`)
  const letStart = idle ? keepIdle() : () => {}
  try {
    return install(command, print)
  } finally {
    letStart()
  }
}

/** @type {(command: string, print: (line: string) => void) => boolean} */
function install(command, print) {
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const finish = wasInterrupted() ? ['dpkg --configure -a'] : []
  for (const line of [...finish, `apt-get ${waiting} update`, command]) {
    const [program = '', ...options] = line.split(' ')
    const { status, stderr, stdout } = spawnSync(program, options, {
      env: environment,
      encoding: 'utf8',
    })
    // An update that partly fails may still find the packages. Another `apt-get` that runs is no
    // interrupted one, though it looks like that, and `dpkg` then refuses.
    if (status !== 0 && line === command) {
      print(`${line} failed:\n${(stderr || stdout || '').trim().slice(-2000)}`)
      return false
    }
  }
  return true
}

/** Returns whether `dpkg` was killed: until it has finished its work, `apt-get` refuses. */
function wasInterrupted() {
  if (namesIn('/var/lib/dpkg/updates').some((name) => /^\d+$/.test(name))) return true
  return spawnSync('dpkg', ['--audit'], { encoding: 'utf8' }).stdout?.trim() !== ''
}

/**
 * Debian's packages run this program before they start a service; exit code 101 forbids it. An
 * existing one is kept.
 */
const policy = '/usr/sbin/policy-rc.d'

/** Returns the program that forbids to start services while this process installs packages. */
export const policyText = (/** @type {number} */ pid) =>
  `#!/bin/sh\n# container-stacks: process ${pid} installs packages for tests\nexit 101\n`

function keepIdle() {
  if (existsSync(policy)) return () => {}
  writeFileSync(policy, policyText(process.pid))
  chmodSync(policy, 0o755)
  return () => rmSync(policy, { force: true })
}

/**
 * Returns whether a program is the one of `policyText` and the process that wrote it has ended.
 * Images of Debian and Ubuntu have such a program too, which stays.
 */
export function isLeftPolicy(/** @type {string} */ text) {
  const pid = Number(/^# container-stacks: process (\d+) /m.exec(text)?.[1])
  return text === policyText(pid) && findProcess(pid) === undefined
}

/** @type {(print: (line: string) => void) => void} */
function removeLeftPolicy(print) {
  if (!isLeftPolicy(textOf(policy))) return
  print(`Removing ${policy}, which a killed installation left`)
  rmSync(policy, { force: true })
}

/** Returns whether this is root on Debian, Ubuntu or a derivative. */
export function canInstall() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  if (!existsSync('/usr/bin/apt-get') || !existsSync('/etc/os-release')) return false
  return /^(ID|ID_LIKE)=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'))
}

function isInstalled(/** @type {string} */ name) {
  const query = spawnSync('dpkg-query', ['-W', '-f', '${Status}', name], { encoding: 'utf8' })
  return query.status === 0 && query.stdout.includes('install ok installed')
}
