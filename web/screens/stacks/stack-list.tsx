import { useComputed, useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { ReadList } from '../../data/cache.ts'
import type { NameOfHost } from '../../data/host-names.ts'
import { keepOrder } from '../../data/list.ts'
import { noNewerImages } from '../../data/newer-images.ts'
import { can } from '../../data/session.ts'
import { useNewerCounts } from '../../data/updates.ts'
import { useQuery } from '../../frame/address.ts'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Menu } from '../../parts/menu.tsx'
import { SelectionBar } from '../../parts/selection-bar.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { LiveTable } from '../../parts/table.tsx'
import { t } from '../../text/text.ts'
import { matchesFilter, type StackFilter } from './filter-stacks.ts'
import { type Stack, stackColumns } from './stack-columns.tsx'
import { useStackVerbs } from './stack-verbs.tsx'
import { useSelection } from './use-selection.ts'

interface StackListProps {
  list: ReadList<Stack>
  nameOf: NameOfHost
  filter: StackFilter
  isLong: boolean
}

/** The stacks that pass the filter. */
export function StackList({ list, nameOf, filter, isLong }: StackListProps) {
  const { text, state, host } = filter
  const wanted = useSignal(filter)
  const { counts: newer = noNewerImages, isSettled } = useNewerCounts()
  const beside = useSignal({ nameOf, newer })
  useMemo(() => {
    wanted.value = { text, state, host }
  }, [text, state, host])
  useMemo(() => {
    beside.value = { nameOf, newer }
  }, [nameOf, newer])
  const keep = useMemo(keepOrder, [])
  const order = useComputed(() => {
    const isShown = (name: string) => {
      const stack = list.rows.get(name)?.value
      const known = beside.value
      return (
        stack &&
        matchesFilter(
          stack,
          { hostName: known.nameOf(stack.host), newer: known.newer },
          wanted.value,
        )
      )
    }
    return keep(list.order.value.filter(isShown))
  })
  const selection = useSelection(list.order)
  const { itemsFor, dialog } = useStackVerbs(() => {
    selection.choose([])
    void list.reload()
  })
  const maySelect = can('stacks:deploy') || can('stacks:delete')
  const rowMenu = ({ name }: Stack) => (
    <Menu label={t.stacks.actionsOf(name)} items={itemsFor([name])} />
  )
  const columns = useMemo(() => stackColumns(nameOf, newer), [nameOf, newer])
  const count = selection.ids.length
  const isWaiting = state === 'newer' && !isSettled
  return (
    <>
      {order.value.length === 0 ? (
        <Nothing isWaiting={isWaiting} />
      ) : (
        <LiveTable
          label={t.stacks.title}
          columns={columns}
          ids={order}
          row={(name) => list.rows.get(name)}
          href={addressOf}
          nameOf={({ name }) => name}
          isWindowed={isLong}
          selection={maySelect ? selection : undefined}
          actions={maySelect ? rowMenu : undefined}
        />
      )}
      {maySelect && (
        <SelectionBar
          selection={selection}
          what={t.stacks.count(count)}
          items={itemsFor(selection.ids)}
        />
      )}
      {dialog}
    </>
  )
}

const addressOf = ({ name }: Stack) => `/stacks/${name}`

/** No stack passes the filter, or it is not known yet whether one does. */
function Nothing({ isWaiting }: { isWaiting: boolean }) {
  return isWaiting ? <Skeleton what={t.frame.updates} /> : <NothingMatches />
}

function NothingMatches() {
  const [, setText] = useQuery('filter')
  const [, setState] = useQuery('state')
  const [, setHost] = useQuery('host')
  const clear = () => {
    for (const set of [setText, setState, setHost]) set('')
  }
  return <Empty title={t.parts.noRows} action={<Button onClick={clear}>{t.stacks.clear}</Button>} />
}
