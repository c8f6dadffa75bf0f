import { useSignal } from '@preact/signals'
import { CirclePlay, CircleStop, type IconNode, ListX, RotateCw, Trash2 } from 'lucide'
import { useMemo } from 'preact/hooks'
import { act } from '../../data/act.ts'
import { can } from '../../data/session.ts'
import { permissionOf, runForStacks, type StackVerb } from '../../data/stack-verbs.ts'
import { Confirm } from '../../parts/confirm.tsx'
import type { MenuItem } from '../../parts/menu.tsx'
import { t } from '../../text/text.ts'

const icons: Readonly<Record<StackVerb, IconNode>> = {
  deploy: CirclePlay,
  restart: RotateCw,
  stop: CircleStop,
  down: ListX,
  remove: Trash2,
}

const verbs = Object.keys(icons) as StackVerb[]

/** A verb that the reader has to confirm, and the stacks that it is for. */
interface VerbToConfirm {
  verb: StackVerb
  names: readonly string[]
}

/**
 * Returns the verbs of stacks that the reader may use, as entries of a menu, and the dialog that
 * asks once for all of them.
 *
 * @param onDone called after a verb has ended, whether or not each stack did it
 */
export function useStackVerbs(onDone: (verb: StackVerb) => void) {
  const toConfirm = useSignal<VerbToConfirm | undefined>(undefined)
  const actions = useMemo(actionsByVerb, [])
  const close = () => {
    toConfirm.value = undefined
  }
  const ask = (verb: StackVerb, names: readonly string[]) => {
    toConfirm.value = { verb, names }
  }
  const itemsFor = (names: readonly string[]): MenuItem[] =>
    verbs
      .filter((verb) => can(permissionOf[verb]))
      .map((verb) => ({
        label: t.stacks.verb[verb](subjectOf(names)),
        icon: icons[verb],
        kind: verb === 'remove' ? 'danger' : 'plain',
        // The page of one stack shows the plan first.
        ...(verb === 'deploy' && names.length === 1
          ? { href: `/stacks/${names[0]}/deploy` }
          : { run: () => ask(verb, names) }),
      }))
  const confirm = ({ verb, names }: VerbToConfirm) =>
    void actions[verb].run(names).then(() => {
      close()
      onDone(verb)
    })
  const dialog = toConfirm.value && (
    <Ask
      of={toConfirm.value}
      isBusy={actions[toConfirm.value.verb].pending.value}
      onConfirm={confirm}
      onClose={close}
    />
  )
  return { itemsFor, dialog }
}

const actionsByVerb = () =>
  Object.fromEntries(
    verbs.map((verb) => [
      verb,
      act(
        async (names: readonly string[]) => {
          await runForStacks(verb, names)
          return names
        },
        {
          ended: (names) => t.stacks.ended[verb](subjectOf(names)),
          failed: t.stacks.notAll,
        },
      ),
    ]),
  ) as Record<StackVerb, ReturnType<typeof act<[readonly string[]], readonly string[]>>>

/** Returns the name of one stack, or how many there are. */
const subjectOf = (names: readonly string[]) =>
  names.length === 1 ? (names[0] as string) : t.stacks.count(names.length)

interface AskProps {
  of: VerbToConfirm
  isBusy: boolean
  onConfirm: (asked: VerbToConfirm) => void
  onClose: () => void
}

function Ask({ of, isBusy, onConfirm, onClose }: AskProps) {
  const { verb, names } = of
  const subject = subjectOf(names)
  const isGone = verb === 'down' || verb === 'remove'
  const typed = verb !== 'remove' ? undefined : names.length === 1 ? names[0] : `${names.length}`
  return (
    <Confirm
      title={t.stacks.ask[verb](subject)}
      action={t.stacks.verb[verb](subject)}
      kind={isGone || verb === 'stop' ? 'danger' : 'primary'}
      lost={t.stacks.lost[verb]}
      stays={t.stacks.stays[verb]}
      busy={isBusy && t.stacks.busy[verb](subject)}
      onConfirm={() => onConfirm(of)}
      onClose={onClose}
      {...(typed !== undefined && { typed })}
    >
      {names.length > 1 && <p>{names.join(', ')}</p>}
    </Confirm>
  )
}
