import type { components } from '../../data/api.types.ts'
import { hasChanges } from '../../data/has-changes.ts'
import type { NameOfHost } from '../../data/host-names.ts'
import type { NewerCounts } from '../../data/newer-images.ts'
import { servicesText, stackWord } from '../../data/stack-words.ts'
import { Badge } from '../../parts/badge.tsx'
import type { Column } from '../../parts/columns.ts'
import { Link } from '../../parts/link.tsx'
import { StackState } from '../../parts/stack-state.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'

export type Stack = components['schemas']['Stack']

/**
 * The columns of a list of stacks, with the names of their hosts, and how many of their services
 * have a newer image.
 */
export function stackColumns(nameOf: NameOfHost, newer: NewerCounts): Column<Stack>[] {
  const hostOf = ({ host }: Stack) => nameOf(host)
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
          {hasChanges(stack) && <Badge kind="attention">{t.stacks.changed}</Badge>}{' '}
          {stack.variables_changed && <Badge kind="attention">{t.stacks.variablesChanged}</Badge>}{' '}
          <Newer count={newer.get(stack.name)} />
        </>
      ),
    },
    {
      key: 'state',
      label: t.stacks.state,
      width: '144px',
      sort: stackWord,
      cell: (stack) => <StackState of={stack} />,
    },
    {
      key: 'services',
      label: t.stacks.services,
      width: '88px',
      align: 'end',
      isMinor: true,
      cell: ({ services }) => servicesText(services),
    },
    {
      key: 'host',
      label: t.stacks.host,
      width: '160px',
      isMinor: true,
      sort: hostOf,
      cell: hostOf,
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

/** A quiet mark: nothing is wrong with a stack that has older images. */
function Newer({ count }: { count: number | undefined }) {
  return count === undefined ? null : <Badge>{t.stacks.updates(count)}</Badge>
}
