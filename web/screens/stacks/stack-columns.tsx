import type { components } from '../../data/api.types.ts'
import { hasChanges } from '../../data/has-changes.ts'
import { Badge } from '../../parts/badge.tsx'
import type { Column } from '../../parts/columns.ts'
import { Link } from '../../parts/link.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { StackState } from '../home/stack-state.tsx'

export type Stack = components['schemas']['Stack']
type Host = components['schemas']['Host']

/** The columns of a list of stacks. Hosts give their names; without them ids are shown. */
export function stackColumns(hosts: readonly Host[]): Column<Stack>[] {
  const names = new Map(hosts.map(({ id, name }) => [id, name]))
  const nameOf = ({ host }: Stack) => names.get(host) ?? host
  return [
    {
      key: 'name',
      label: t.stacks.stack,
      sort: ({ name }) => name,
      cell: (stack) => (
        <>
          <Link href={`/stacks/${stack.name}`} kind="strong">
            {stack.name}
          </Link>{' '}
          {hasChanges(stack) && <Badge kind="attention">{t.stacks.changed}</Badge>}
        </>
      ),
    },
    {
      key: 'state',
      label: t.stacks.state,
      width: '144px',
      sort: ({ status }) => status,
      cell: ({ status }) => <StackState of={status} />,
    },
    {
      key: 'services',
      label: t.stacks.services,
      width: '88px',
      align: 'end',
      isMinor: true,
      cell: ({ services: { running, total } }) => `${running}/${total}`,
    },
    {
      key: 'host',
      label: t.stacks.host,
      width: '160px',
      isMinor: true,
      sort: nameOf,
      cell: nameOf,
    },
    {
      key: 'deployed',
      label: t.stacks.deployed,
      width: '144px',
      align: 'end',
      isMinor: true,
      sort: ({ deployed_at }) => deployed_at ?? '',
      cell: ({ deployed_at }) => (deployed_at ? <Time at={deployed_at} /> : t.stacks.never),
    },
  ]
}
