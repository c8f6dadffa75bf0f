import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { PeerStack } from '../../../cli/import/peer-stack.ts'
import type { ExpectedStack } from './expected.ts'

/** Returns what an importer made of a stack, in the form of the expected tables. */
export function asExpected(stack: PeerStack): ExpectedStack {
  const files = stack.files.map((file) => {
    const content = 'source' in file ? readFileSync(file.source) : file.text
    const sha256 = createHash('sha256').update(content).digest('hex')
    return { path: file.path, sha256, bytes: file.size }
  })
  const { peerName, name, host, status, directory, git, refused } = stack
  return {
    peerName,
    name,
    host,
    status,
    directory,
    git,
    files,
    composeFiles: [...stack.composeFiles],
    env: { ...stack.env },
    updates: stack.updates,
    writtenFromEnv: [...stack.writtenFromEnv],
    leftOut: [...stack.leftOut] as ExpectedStack['leftOut'],
    refused: (refused?.reason ?? null) as ExpectedStack['refused'],
  }
}
