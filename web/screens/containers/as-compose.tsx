import './as-compose.css'
import { useEffect } from 'preact/hooks'
import { type ComposeOfContainers, type Container, writeAsCompose } from '../../data/containers.ts'
import { can } from '../../data/session.ts'
import { draft, nameFrom } from '../../data/stack-draft.ts'
import { useAct } from '../../data/use-act.ts'
import { go } from '../../frame/address.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { Button } from '../../parts/button.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Panel } from '../../parts/panel.tsx'
import { State } from '../../parts/state.tsx'
import { t } from '../../text/text.ts'

interface AsComposeProps {
  container: Pick<Container, 'id' | 'host_id' | 'name'>
  onClose: () => void
}

/** A container as a compose file, to copy or to make a stack of. */
export function AsCompose({ container, onClose }: AsComposeProps) {
  const words = t.container
  const read = useAct(writeAsCompose, { failed: words.notWritten, tellsProblem: false })
  useEffect(() => void read.run(container), [read])
  const found = read.result.value
  const reload = () => void read.run(container)
  const loading = { value: read.result, problem: read.problem, reload }
  return (
    <Dialog
      title={words.asComposeOf(container.name)}
      size="large"
      onClose={onClose}
      actions={(close) => (
        <>
          <Button onClick={close}>{t.parts.close}</Button>
          {found && can('stacks:create') && (
            <Button kind="primary" onClick={() => takeAsStack(container, found)}>
              {words.createFrom}
            </Button>
          )}
        </>
      )}
    >
      <div class="as-compose">
        <Loaded of={loading} what={words.composeWhat} failed={words.notWritten}>
          {(files) => <Files of={files} />}
        </Loaded>
      </div>
    </Dialog>
  )
}

/** Opens the form of a new stack with the files. Nothing is saved yet. */
function takeAsStack(
  { name, host_id }: AsComposeProps['container'],
  { compose, env }: ComposeOfContainers,
): void {
  draft.name.value = nameFrom(name)
  draft.host.value = host_id
  draft.compose.value = compose
  draft.env.value = env ?? ''
  go('/stacks/+new')
}

function Files({ of: { compose, env, warnings } }: { of: ComposeOfContainers }) {
  return (
    <>
      {warnings.length > 0 && (
        <>
          <State of="attention" word={t.container.notInCompose} />
          <ul class="as-compose-lines">
            {warnings.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </>
      )}
      <Panel title="compose.yaml" actions={<Copy text={compose} what="compose.yaml" />}>
        <Text of={compose} label={t.newStack.result} />
      </Panel>
      {env !== null && (
        <details>
          <summary>{t.newStack.env}</summary>
          <Panel title=".env" actions={<Copy text={env} what=".env" />}>
            <Text of={env} label={t.newStack.env} />
          </Panel>
        </details>
      )}
      <p>{t.container.composeReplaces}</p>
    </>
  )
}

const Text = ({ of, label }: { of: string; label: string }) => (
  <section class="as-compose-code" aria-label={label} {...scroller}>
    <pre>{of}</pre>
  </section>
)

/** It scrolls sideways, so the keyboard has to reach it. */
const scroller = { tabIndex: 0 }
