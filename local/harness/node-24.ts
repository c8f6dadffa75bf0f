import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ForksPoolWorker, type PoolOptions } from 'vitest/node'

const folder = new URL('../node-24/', import.meta.url)

/** The program of Node 24, which the package `node` brings. */
export const node24 = fileURLToPath(new URL('node_modules/node/bin/node', folder))

/** Installs Node 24 if it is missing. */
export default function setup(): void {
  if (!existsSync(node24)) execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder })
}

/** A process of Node 24 that runs test files, for what Node 20 does not have. */
class Node24Worker extends ForksPoolWorker {
  override start(): Promise<void> {
    const own = process.execPath
    // A new process runs the same program as its parent, and there is no option for another one.
    process.execPath = node24
    try {
      return super.start()
    } finally {
      process.execPath = own
    }
  }
}

/** The pool of a project whose tests run on Node 24. */
export const onNode24 = {
  name: 'node-24',
  createPoolWorker: (options: PoolOptions) => new Node24Worker(options),
}
