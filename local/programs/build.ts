import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { processors } from './processors.mjs'

export type Processor = keyof typeof processors

/** A program for one processor: the executable, and its disassembly. */
export interface Built {
  name: string
  processor: Processor
  bytes: Buffer
  disassembly: string
}

const names = ['unlink', 'clear', 'sockets']
const sources = fileURLToPath(new URL('../../adapters/docker/programs/', import.meta.url))

// Everything that depends on more than the source is off: position-independent code, stack
// protectors, unwind tables, notes, build ids.
const options = [
  ...['-std=c11', '-Os', '-Wall', '-Wextra', '-Werror', '-ffreestanding', '-fno-stack-protector'],
  ...['-fno-pie', '-no-pie', '-fno-unwind-tables', '-fno-asynchronous-unwind-tables'],
  ...['-fcf-protection=none', '-fno-ident', '-nostdlib', '-static', '-Wl,--build-id=none'],
  ...['-Wl,-z,noseparate-code', '-Wl,-z,noexecstack'],
]

/** Builds every program for every processor from its C source. Needs `programPackages`. */
export function buildPrograms(): Built[] {
  const directory = mkdtempSync(join(tmpdir(), 'programs-'))
  try {
    return names.flatMap((name) =>
      (Object.keys(processors) as Processor[]).map((processor) =>
        buildProgram(name, processor, directory),
      ),
    )
  } finally {
    rmSync(directory, { recursive: true })
  }
}

function buildProgram(name: string, processor: Processor, directory: string): Built {
  const tool = `${processors[processor].target}-`
  const file = join(directory, name)
  execFileSync(`${tool}gcc-12`, [...options, '-o', file, join(sources, `${name}.c`)])
  const listing = execFileSync(`${tool}objdump`, ['--disassemble', file], { encoding: 'utf8' })
  execFileSync(`${tool}strip`, [file])
  const disassembly = listing.slice(listing.indexOf('Disassembly')).trim()
  return { name, processor, bytes: readFileSync(file), disassembly }
}
