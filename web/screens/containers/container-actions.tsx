import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { ContainerDetails } from '../../data/containers.ts'
import { go } from '../../frame/address.ts'
import { usePalette } from '../../frame/palette-state.ts'
import { useShortcuts } from '../../frame/shortcuts.ts'
import { Button } from '../../parts/button.tsx'
import { Menu } from '../../parts/menu.tsx'
import { t } from '../../text/text.ts'
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
  const verbs = verbsFor(container)
  const [first, ...others] = verbs
  const begin = (verb: Verb) => {
    if (verb === 'start') void actions.start.run(container)
    else toConfirm.value = verb
  }
  const items = verbItems(container, verbs, begin)
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
      {others.length > 0 && (
        <Menu
          label={t.containers.actions(container.name)}
          items={verbItems(container, others, begin)}
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
