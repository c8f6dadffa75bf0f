import type { components } from '../../data/api.types.ts'
import { useResource } from '../../data/cache.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Diff } from '../../parts/diff.tsx'
import { t } from '../../text/text.ts'

interface FileDiffsProps {
  name: string
  /** States of the stack, as in `GET /stacks/{name}/diff`. */
  from: string
  to: string
  /** What is said if nothing differs. */
  none: string
}

const kinds = { added: 'running', removed: 'failed', modified: 'attention' } as const

/** The files that differ between two states of a stack, with their lines. */
export function FileDiffs({ name, from, to, none }: FileDiffsProps) {
  const read = useResource('/stacks/{name}/diff', { name, from, to })
  return (
    <Loaded
      of={read}
      what={t.stack.theFiles}
      failed={t.stack.noDiff}
      rows={3}
      empty={<p class="quiet-text">{none}</p>}
    >
      {(files) => <Files of={files} />}
    </Loaded>
  )
}

function Files({ of: files }: { of: readonly components['schemas']['FileDiff'][] }) {
  return (
    <div class="file-diffs">
      {files.map(({ path, change, diff, hidden }) => (
        <div key={path}>
          <h3>
            <code>{path}</code> <Badge kind={kinds[change]}>{t.stack.fileChange[change]}</Badge>
          </h3>
          {diff !== null ? (
            <Diff label={path} text={diff} />
          ) : (
            <p class="quiet-text">{hidden && t.stack.hidden[hidden]}</p>
          )}
        </div>
      ))}
    </div>
  )
}
