import { createHash } from 'node:crypto'
import type { StackDetails } from '../../api/types.ts'
import { isRecord } from '../../output/rows.ts'
import { type Planner, type PlanRow, textAt } from '../plan.ts'

/** The files that would differ. The change is then one of the revision that was compared. */
export const planFiles: Planner = async (planning) => {
  const { client, given, signal } = planning
  const path = { name: textAt(planning, 'name') }
  const { value: stack } = await client.get('/stacks/{name}', { path, signal })
  const files = isRecord(given.files) ? given.files : {}
  const rows = [
    ...rowOfCompose(given.compose, stack),
    ...Object.entries(files).flatMap(([file, content]) => rowOfFile(file, content, stack)),
  ]
  return { rows, pinned: { revision: stack.revision }, state: null }
}

function rowOfCompose(text: unknown, { compose, revision }: StackDetails): PlanRow[] {
  if (typeof text !== 'string' || text === compose) return []
  const lines = `${linesOf(compose)} lines in revision ${revision}, ${linesOf(text)} then`
  return [{ action: 'replace', kind: 'file', name: 'compose.yaml', reason: lines }]
}

function rowOfFile(name: string, content: unknown, { files }: StackDetails): PlanRow[] {
  const old = files.find(({ path }) => path === name)
  if (content === null) {
    return old ? [{ action: 'delete', kind: 'file', name, reason: `${old.size} bytes` }] : []
  }
  const bytes = isRecord(content) ? bytesOf(content) : undefined
  const isSame =
    old !== undefined &&
    bytes !== undefined &&
    old.digest === createHash('sha256').update(bytes).digest('hex') &&
    isRecord(content) &&
    content.mode === undefined
  if (isSame) return []
  const after = bytes === undefined ? 'with other properties' : `${bytes.length} bytes then`
  const reason = old ? `${old.size} bytes now, ${after}` : after
  return [{ action: old ? 'replace' : 'create', kind: 'file', name, reason }]
}

function bytesOf({ content, base64 }: Record<string, unknown>): Buffer | undefined {
  if (typeof content === 'string') return Buffer.from(content, 'utf8')
  return typeof base64 === 'string' ? Buffer.from(base64, 'base64') : undefined
}

const linesOf = (text: string): number => text.split('\n').length
