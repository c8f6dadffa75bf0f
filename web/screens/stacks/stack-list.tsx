import { type ReadonlySignal, useComputed, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { ReadList } from '../../data/cache.ts'
import type { NameOfHost } from '../../data/host-names.ts'
import { can } from '../../data/session.ts'
import { useQuery } from '../../frame/address.ts'
import { Button } from '../../parts/button.tsx'
import { Checkbox } from '../../parts/checkbox.tsx'
import type { Column } from '../../parts/columns.ts'
import { Empty } from '../../parts/empty.tsx'
import { Grid } from '../../parts/grid.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Table } from '../../parts/table.tsx'
import { t } from '../../text/text.ts'
import { matchesFilter, type StackFilter } from './filter-stacks.ts'
import { SelectionBar } from './selection-bar.tsx'
import { type Stack, stackColumns } from './stack-columns.tsx'
import { useStackVerbs } from './stack-verbs.tsx'
import { type Selection, useSelection } from './use-selection.ts'

interface StackListProps {
  list: ReadList<Stack>
  nameOf: NameOfHost
  filter: StackFilter
  isLong: boolean
}

/** The stacks that pass the filter: a table, or a virtual grid if there are many. */
export function StackList({ list, nameOf, filter, isLong }: StackListProps) {
  const { text, state, host } = filter
  const wanted = useSignal(filter)
  const names = useSignal({ of: nameOf })
  useMemo(() => {
    wanted.value = { text, state, host }
  }, [text, state, host])
  useMemo(() => {
    names.value = { of: nameOf }
  }, [nameOf])
  const order = useComputed(() =>
    list.order.value.filter((name) => {
      const stack = list.rows.get(name)?.value
      return stack && matchesFilter(stack, names.value.of(stack.host), wanted.value)
    }),
  )
  const selection = useSelection(list.order)
  const { itemsFor, dialog } = useStackVerbs(() => {
    selection.clear()
    void list.reload()
  })
  const maySelect = can('stacks:deploy') || can('stacks:delete')
  const rowMenu = ({ name }: Stack) => (
    <Menu label={t.stacks.actionsOf(name)} items={itemsFor([name])} />
  )
  const columns = useMemo(
    () => [...(maySelect ? [selectColumn(selection, order)] : []), ...stackColumns(nameOf)],
    [nameOf, maySelect, selection.names, order.value],
  )
  return (
    <>
      {order.value.length === 0 ? (
        <NothingMatches />
      ) : isLong ? (
        <Grid
          label={t.stacks.title}
          columns={gridColumns(columns, maySelect ? rowMenu : undefined)}
          order={order}
          row={(name) => list.rows.get(name)}
          href={({ name }) => `/stacks/${name}`}
        />
      ) : (
        <Table
          label={t.stacks.title}
          columns={columns}
          rows={order.value.flatMap((name) => list.rows.get(name)?.value ?? [])}
          rowKey={({ name }) => name}
          href={({ name }) => `/stacks/${name}`}
          {...(maySelect && { actions: rowMenu })}
        />
      )}
      {maySelect && <SelectionBar selection={selection} items={itemsFor(selection.names)} />}
      {dialog}
    </>
  )
}

/** The checkbox of each row, and one for all rows that match the filter. */
function selectColumn(
  { names, toggle, choose, clear }: Selection,
  shown: ReadonlySignal<readonly string[]>,
): Column<Stack> {
  const count = shown.value.length
  const isAll = count > 0 && shown.value.every((name) => names.includes(name))
  return {
    key: 'select',
    label: t.stacks.select,
    width: '40px',
    head: (
      <Checkbox
        isBare
        label={t.stacks.selectAll(count)}
        checked={isAll}
        isMixed={names.length > 0 && !isAll}
        disabled={count === 0}
        onChange={(checked) => (checked ? choose(shown.value) : clear())}
      />
    ),
    cell: ({ name }) => (
      <Checkbox
        isBare
        label={t.stacks.selectOne(name)}
        checked={names.includes(name)}
        onChange={() => toggle(name)}
      />
    ),
  }
}

/** A grid has fractions instead of what is left, and no place of its own for the menu. */
function gridColumns(
  columns: readonly Column<Stack>[],
  menu: ((row: Stack) => ComponentChildren) | undefined,
): Column<Stack>[] {
  const sized = columns.map((column) => ({ ...column, width: column.width ?? 'minmax(0, 1fr)' }))
  if (!menu) return sized
  return [
    ...sized,
    { key: 'menu', label: t.parts.actions, width: '84px', align: 'end', cell: menu },
  ]
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
