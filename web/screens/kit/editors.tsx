import { useSignal } from '@preact/signals'
import type { EditorProblem } from '../../parts/editor/positions.ts'
import { Editor } from '../../parts/editor.tsx'
import { Sample } from './sample.tsx'

const compose = `services:
  web:
    image: nginx:1.29
    restart: unless-stopped
    imagee: shop
`
const problems: readonly EditorProblem[] = [
  { line: 5, column: 5, severity: 'error', message: "additional properties 'imagee' not allowed" },
]
const theirs = compose.replace('unless-stopped', 'always')

/** The editor with problems, read only, and while it merges. */
export function Editors() {
  const text = useSignal(compose)
  const merged = useSignal(compose)
  return (
    <>
      <Sample name="Editor">
        <div class="kit-grid">
          <Editor
            label="compose.yaml"
            language="compose"
            value={text.value}
            onInput={(value) => {
              text.value = value
            }}
            problems={problems}
          />
        </div>
        <div class="kit-grid">
          <Editor label=".env" language="env" value={'# Read only\nTAG=1.29\n'} />
        </div>
      </Sample>
      <Sample name="Merge">
        <div class="kit-grid">
          <Editor
            label="Merge of compose.yaml"
            language="yaml"
            value={merged.value}
            onInput={(value) => {
              merged.value = value
            }}
            mergeWith={theirs}
          />
        </div>
      </Sample>
    </>
  )
}
