import { useSignal } from '@preact/signals'
import { FileText } from 'lucide'
import { useMemo } from 'preact/hooks'
import type { ContainerDetails } from '../../data/containers.ts'
import { go } from '../../frame/address.ts'
import { usePalette } from '../../frame/palette-state.ts'
import { useShortcuts } from '../../frame/shortcuts.ts'
import { Button } from '../../parts/button.tsx'
import { Menu, type MenuItem } from '../../parts/menu.tsx'
import { t } from '../../text/text.ts'
import { AsCompose } from './as-compose.tsx'
import { AskVerb, busyWord } from './ask-verb.tsx'
import {
  addressOf,
  mayEnter,
  type Verb,
  verbActions,
  verbIcons,
  verbItems,
  verbsFor,
} from './container-verbs.ts'

interface ActionsProps {
  container: ContainerDetails
  onRemoved: () => void
}

/** The verbs of a container: the usual one as a button, the others in a menu. */
export function ContainerActions({ container, onRemoved }: ActionsProps) {
  const actions = useMemo(verbActions, [])
  const toConfirm = useSignal<Verb | undefined>(undefined)
  const isWritten = useSignal(false)
  const verbs = verbsFor(container)
  const [first, ...others] = verbs
  const begin = (verb: Verb) => {
    if (verb === 'start') void actions.start.run(container)
    else toConfirm.value = verb
  }
  const write: MenuItem = {
    label: t.container.asCompose,
    icon: FileText,
    run: () => {
      isWritten.value = true
    },
  }
  const items = [...verbItems(container, verbs, begin), write]
  usePalette(() =>
    items.map(({ label, icon, run }) => ({ label, ...(icon && { icon }), ...(run && { run }) })),
  )
  useShortcuts([
    { keys: 'l', label: t.container.logs, run: () => go(addressOf(container, 'logs')) },
    ...(mayEnter(container)
      ? [
          {
            keys: 'x',
            label: t.container.terminal,
            run: () => go(addressOf(container, 'terminal')),
          },
        ]
      : []),
  ])
  const busy = (verb: Verb) => actions[verb].pending.value && busyWord(verb)
  return (
    <>
      {first && (
        <Button
          kind={first === 'start' ? 'primary' : 'plain'}
          icon={verbIcons[first]}
          busy={busy(first)}
          onClick={() => begin(first)}
        >
          {t.container[first]}
        </Button>
      )}
      <Menu
        label={t.containers.actions(container.name)}
        items={[...verbItems(container, others, begin), write]}
      />
      {isWritten.value && (
        <AsCompose
          container={container}
          onClose={() => {
            isWritten.value = false
          }}
        />
      )}
      {toConfirm.value && (
        <AskVerb
          verb={toConfirm.value}
          container={container}
          actions={actions}
          onRemoved={onRemoved}
          onClose={() => {
            toConfirm.value = undefined
          }}
        />
      )}
    </>
  )
}
