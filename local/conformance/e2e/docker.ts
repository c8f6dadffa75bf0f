import { execFile } from 'node:child_process'
import type { Output } from './output.ts'

/** Runs Docker's own client, to inspect the Engine and to prepare it. */
export function docker(args: readonly string[], input?: string): Promise<Output> {
  return new Promise((resolve) => {
    const child = execFile('docker', args, (failed, stdout, stderr) => {
      resolve({ code: failed ? Number(failed.code ?? 1) || 1 : 0, stdout, stderr })
    })
    child.stdin?.end(input)
  })
}
