import type { StackProblem } from '../../../data/validate-stack.ts'
import { Editor, type EditorProps } from '../../../parts/editor.tsx'
import { t } from '../../../text/text.ts'

interface ComposeEditorProps extends Pick<EditorProps, 'value' | 'onInput' | 'goTo'> {
  /** What the service says about the text. */
  problems: readonly StackProblem[]
}

/** The text of a compose file, with completion and its problems at their lines. */
export function ComposeEditor({ value, onInput, goTo, problems }: ComposeEditorProps) {
  return (
    <div class="field">
      <span class="compose-label" aria-hidden="true">
        compose.yaml
      </span>
      <div class="compose-editor">
        <Editor
          label="compose.yaml"
          language="compose"
          value={value}
          onInput={onInput}
          problems={problems}
          goTo={goTo}
          placeholder={example}
        />
      </div>
      <p class="field-help">{t.newStack.composeHelp}</p>
    </div>
  )
}

const example = `services:
  web:
    image: nginx:1.29
    ports:
      - 8080:80
`
