import { useSignal } from '@preact/signals'
import { draft } from '../../../data/stack-draft.ts'
import { go } from '../../../frame/address.ts'
import { Button } from '../../../parts/button.tsx'
import { CodeField } from '../../../parts/code-field.tsx'
import { Copy } from '../../../parts/copy.tsx'
import { Panel } from '../../../parts/panel.tsx'
import { State } from '../../../parts/state.tsx'
import { t } from '../../../text/text.ts'
import { NewStackPage } from './new-stack-page.tsx'
import { CommandError } from './run/split-command.ts'
import { type Converted, toCompose } from './run/to-compose.ts'

/** A new stack from a `docker run` command. */
export default function NewStackFromRun() {
  const command = useSignal('')
  const { converted, error } = tried(command.value)
  const take = (event: Event) => {
    event.preventDefault()
    if (!converted) return
    draft.compose.value = converted.compose
    draft.name.value = converted.name
    go('/stacks/+new')
  }
  return (
    <NewStackPage>
      <form class="new-stack" onSubmit={take}>
        <CodeField
          label={t.newStack.command}
          help={t.newStack.commandHelp}
          error={error && t.newStack.commandWrong[error]}
          rows={5}
          value={command.value}
          placeholder="docker run -d --name web -p 8080:80 nginx:1.29"
          onInput={(text) => {
            command.value = text
          }}
        />
        {converted && <Result of={converted} />}
        <div class="new-stack-actions">
          <Button
            kind="primary"
            type="submit"
            blocked={converted ? undefined : t.newStack.needsCommand}
          >
            {t.newStack.goOn}
          </Button>
        </div>
      </form>
    </NewStackPage>
  )
}

function Result({ of: { compose, dropped } }: { of: Converted }) {
  return (
    <Panel title="compose.yaml" actions={<Copy text={compose} what="compose.yaml" />}>
      {dropped.length > 0 && <State of="attention" word={t.newStack.dropped(dropped.join(', '))} />}
      <section class="new-stack-code" aria-label={t.newStack.result} {...scroller}>
        <pre>{compose}</pre>
      </section>
    </Panel>
  )
}

/** It scrolls sideways, so the keyboard has to reach it. */
const scroller = { tabIndex: 0 }

function tried(command: string): { converted?: Converted; error?: CommandError['reason'] } {
  if (command.trim() === '') return {}
  try {
    return { converted: toCompose(command) }
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return { error: error.reason }
  }
}
