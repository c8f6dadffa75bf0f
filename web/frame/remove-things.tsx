import { useSignal } from '@preact/signals'
import { Trash2 } from 'lucide'
import { can } from '../data/session.ts'
import { useAct } from '../data/use-act.ts'
import type { Used, UsersOf } from '../data/users-of.ts'
import { Confirm } from '../parts/confirm.tsx'
import { Menu, type MenuItem } from '../parts/menu.tsx'
import { t } from '../text/text.ts'

interface Removable extends Used {
  stack: string | null
}

/** How volumes, or networks, are removed. */
export interface Removal<T> {
  permission: string
  remove: (things: readonly T[]) => Promise<void>
  texts: typeof t.networks.removal | typeof t.volumes.removal
  /** It deletes data, so that a name has to be typed. */
  isTyped?: boolean
  /** Returns how much data goes with them. */
  dataOf?: (things: readonly T[]) => string
  /** Names of those that cannot be removed. */
  fixed?: readonly string[]
}

/**
 * Returns what removes volumes or networks: the menu of one, an entry of a menu for several, and
 * the dialog that asks. All of it is undefined for a reader without the permission.
 *
 * @param onDone called after a removal has ended, whether or not each one was removed
 */
export function useRemoval<T extends Removable>(
  removal: Removal<T>,
  usersOf: UsersOf,
  onDone: () => void,
) {
  const { permission, texts, fixed = [] } = removal
  const asked = useSignal<readonly T[]>([])
  const action = useAct(
    async (things: readonly T[]) => {
      await removal.remove(things)
      return things
    },
    { ended: (things) => texts.removed(whatOf(things, texts)), failed: texts.notRemoved },
  )
  if (!can(permission)) return undefined
  const close = () => {
    asked.value = []
  }
  const confirm = async () => {
    await action.run(asked.value)
    close()
    onDone()
  }
  const blockedBy = (thing: T) =>
    fixed.includes(thing.name) ? t.lists.fixed : blockedByUse(thing, usersOf)
  const itemFor = (things: readonly T[]): MenuItem => {
    const removable = things.filter((thing) => blockedBy(thing) === undefined)
    const [first] = things
    return {
      label: texts.remove(whatOf(removable.length > 0 ? removable : things, texts)),
      icon: Trash2,
      kind: 'danger',
      blocked: removable.length === 0 ? first && blockedBy(first) : undefined,
      run: () => {
        asked.value = removable
      },
    }
  }
  const menuOf = (thing: T) => (
    <Menu label={t.lists.actionsOf(thing.name)} items={[itemFor([thing])]} />
  )
  const dialog = asked.value.length > 0 && (
    <AskRemoval
      of={asked.value}
      removal={removal}
      isBusy={action.pending.value}
      onConfirm={() => void confirm()}
      onClose={close}
    />
  )
  return { itemFor, menuOf, dialog }
}

/** The service alone knows which stack made something, and refuses what the reader may not do. */
function blockedByUse(thing: Removable, usersOf: UsersOf): string | undefined {
  const count = usersOf(thing)?.length ?? 0
  if (count > 0) return t.images.isUsed(count)
  return thing.stack === null && !can('stacks:privileged') ? t.lists.needsPrivileged : undefined
}

/** Returns the name of one, or how many there are. */
const whatOf = (things: readonly Used[], texts: Removal<never>['texts']) =>
  things.length === 1 ? (things[0]?.name ?? '') : texts.count(things.length)

interface AskRemovalProps<T> {
  of: readonly T[]
  removal: Removal<T>
  isBusy: boolean
  onConfirm: () => void
  onClose: () => void
}

function AskRemoval<T extends Removable>(props: AskRemovalProps<T>) {
  const { of: things, isBusy, onConfirm, onClose } = props
  const { texts, isTyped, dataOf } = props.removal
  const what = whatOf(things, texts)
  const typed = things.length === 1 ? what : `${things.length}`
  return (
    <Confirm
      title={texts.removeAsk(what)}
      action={texts.remove(what)}
      lost={texts.lost}
      stays={texts.stays}
      busy={isBusy && texts.removing}
      onConfirm={onConfirm}
      onClose={onClose}
      {...(isTyped && { typed })}
    >
      {things.length > 1 && <p>{things.map(({ name }) => name).join(', ')}</p>}
      {dataOf && <p role="status">{dataOf(things)}</p>}
    </Confirm>
  )
}
