import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { nodeProgram } from '../contents/node-program.mjs'
import { checkInjected, checkSignature } from './check-mach-o.ts'
import { injected, withScript } from './insert-segment.ts'
import { withoutSignature } from './remove-signature.ts'
import { resourceOf } from './resource.ts'
import { signMachO } from './sign-mach-o.ts'
import { nameOf, type Program, type Target, thisMachine } from './targets.ts'

/** The Debian packages that building for Linux needs on a machine with an amd64 processor. */
export const buildPackages = [
  'binutils-aarch64-linux-gnu',
  'libstdc++6-arm64-cross',
  'qemu-user-static',
]

const postject = createRequire(import.meta.url).resolve('postject/dist/cli.js')

/** GNU's name of each processor, which the names of its tools and libraries begin with. */
const gnu = { amd64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' }

/**
 * Writes a program for a target as one executable file: Node.js, with the script as a resource. The
 * file appears when it is complete.
 */
export function buildExecutable(
  program: Program,
  script: string,
  target: Target,
  file: string,
): void {
  const folder = mkdtempSync(`${file}.`)
  try {
    // Another machine's Node.js would refuse a code cache, and compile the script itself.
    const own = commandFor(target)
    const resource = resourceOf(script, own ?? [nodeProgram(target.maker).path], Boolean(own))
    const place = join(folder, program.name)
    copyFileSync(nodeProgram(target.node).path, place)
    chmodSync(place, 0o755)
    if (target.os === 'linux') {
      execFileSync(`${gnu[target.arch]}-strip`, ['--strip-all', place])
      const note = join(folder, 'resource')
      writeFileSync(note, resource)
      insert(place, note)
    } else {
      insertSigned(place, resource, program.name)
    }
    renameSync(place, file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Adds the script to a Linux executable, as a note. */
function insert(place: string, resource: string): void {
  const words = [place, injected.resource, resource, '--sentinel-fuse', injected.fuse]
  execFileSync(process.execPath, [postject, ...words], { stdio: 'pipe' })
}

/** Adds the script to a darwin executable, and replaces the signature, which does not cover it. */
function insertSigned(place: string, resource: Buffer, name: string): void {
  const unsigned = withoutSignature(readFileSync(place))
  const signed = signMachO(withScript(unsigned, resource), `container-stacks-${name}`)
  checkInjected(unsigned, signed, resource)
  checkSignature(signed)
  writeFileSync(place, signed)
}

/** Returns the words that run Node.js for a target on this machine, if it can. */
export function commandFor(target: Target): string[] | undefined {
  return commandOf(target, nodeProgram(target.node).path)
}

/** Returns the words that run a target's program on this machine, if it can. */
export function commandOf(target: Target, path: string): string[] | undefined {
  const here = thisMachine()
  if (nameOf(target) === nameOf(here)) return [path]
  if (target.os !== 'linux' || here.os !== 'linux') return undefined
  const processor = { amd64: 'x86_64', arm64: 'aarch64' }[target.arch]
  return [`qemu-${processor}-static`, '-L', `/usr/${gnu[target.arch]}`, path]
}
