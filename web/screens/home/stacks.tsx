import { Plus } from 'lucide'
import { useMemo } from 'preact/hooks'
import { useResource } from '../../data/cache.ts'
import { noNewerImages } from '../../data/newer-images.ts'
import { can } from '../../data/session.ts'
import { useHostNames } from '../../data/use-host-names.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Link, LinkButton } from '../../parts/link.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Table } from '../../parts/table.tsx'
import { t } from '../../text/text.ts'
import { stackColumns } from '../stacks/stack-columns.tsx'

/** More are on their own page. */
const shownMax = 50

interface StacksProps {
  /**
   * Whether what is above them has its height. Before that they would move under the mouse, and a
   * click whose button moves between press and release is lost.
   */
  isPlaced: boolean
}

/** The stacks of all hosts. */
export function Stacks({ isPlaced }: StacksProps) {
  const read = useResource('/stacks')
  const nameOf = useHostNames()
  const columns = useMemo(() => stackColumns(nameOf, noNewerImages), [nameOf])
  const stacks = isPlaced ? read.value.value : undefined
  const more = stacks && stacks.length > shownMax && (
    <Link href="/stacks">{t.home.allStacks(stacks.length)}</Link>
  )
  return (
    <Panel title={t.stacks.title} isFlush actions={more}>
      <Loaded
        of={{ ...read, value: { value: stacks } }}
        what={t.stacks.what}
        failed={t.stacks.failed}
        empty={<NoStacks />}
      >
        {(rows) => (
          <Table
            label={t.stacks.title}
            columns={columns}
            rows={rows.slice(0, shownMax)}
            rowKey={({ name }) => name}
            href={({ name }) => `/stacks/${name}`}
          />
        )}
      </Loaded>
    </Panel>
  )
}

/** There are no stacks yet: the next step, for those who may take it. */
export function NoStacks() {
  const action = can('stacks:create') && (
    <LinkButton href="/stacks/+new" kind="primary" icon={Plus}>
      {t.stacks.create}
    </LinkButton>
  )
  return (
    <Empty title={t.home.empty} action={action}>
      {can('stacks:create') ? t.home.emptyNext : t.home.emptyWait}
    </Empty>
  )
}
