import { quoted } from '../folder/quoted.ts'
import { clean } from '../output/text.ts'
import type { PeerStack } from './peer-stack.ts'

/** Returns commands that let the stacks of git repositories follow them, one line each. */
export function sourceProposals(stacks: readonly PeerStack[]): string[] {
  const lines = stacks.flatMap(({ name, git }) => {
    if (name === null || git === null) return []
    const slash = git.path.lastIndexOf('/')
    const folder = slash < 0 ? '' : ` --path ${quoted(git.path.slice(0, slash))}`
    const user = git.username === null ? '' : ` --user ${quoted(git.username)}`
    const every = git.everySeconds === null ? 'off' : `${Math.max(git.everySeconds, 60)}s`
    const short = git.ref.replace(/^refs\/(heads|tags)\//, '')
    const ref = short === '' ? '' : ` --ref ${quoted(short)}`
    const mode = git.everySeconds !== null || git.webhook ? 'deploy' : 'plan'
    const word = quoted(name)
    return [
      `  cli sources create ${word} ${quoted(git.url)}${ref}${user} --every ${every}`,
      `  cli stacks source set ${word} ${word}${folder} --on-change ${mode}`,
    ].map((line) => clean(line))
  })
  if (lines.length === 0) return []
  return ['stacks from git do not follow it here yet. A proposal:', ...lines]
}
