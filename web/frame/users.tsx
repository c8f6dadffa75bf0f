import { useMemo } from 'preact/hooks'
import { type Container, everyContainer } from '../data/containers.ts'
import { splitHosts } from '../data/host-lists.ts'
import { useReadable } from '../data/use-readable.ts'
import { type UsersOf, usersIn } from '../data/users-of.ts'
import { Lines } from '../parts/lines.tsx'
import { None } from '../parts/none.tsx'
import { t } from '../text/text.ts'
import { ContainerLink } from './container-link.tsx'
import { StackLink } from './stack-link.tsx'

/** Returns who uses the volumes or networks of all hosts. The list does not wait for it. */
export function useUsers(namesIn: (container: Container) => readonly string[]): UsersOf {
  const { value } = useReadable('containers:read', '/containers', everyContainer)
  return useMemo(() => {
    const known = value && splitHosts(value)
    return usersIn(known && { ...known, containers: known.items }, namesIn)
  }, [value, namesIn])
}

interface UsersProps {
  of: readonly Container[] | undefined
}

/** The most names that a row has place for. */
const namedMax = 2

/** The containers that use something, in a row of a list. */
export function UsersCell({ of: users }: UsersProps) {
  if (!users) return <None />
  if (users.length === 0) return <span class="quiet-text">{t.lists.unused}</span>
  const more = users.length - namedMax
  return (
    <>
      {users.slice(0, namedMax).map((user, at) => (
        <span key={user.id}>
          {at > 0 && ', '}
          <ContainerLink of={user} />
        </span>
      ))}
      {more > 0 && ` ${t.lists.more(more)}`}
    </>
  )
}

/** The containers that use something, each with its stack. */
export function Users({ of: users }: UsersProps) {
  if (!users) return null
  return (
    <section>
      <h3>{t.lists.usedBy}</h3>
      {users.length === 0 && <p class="quiet-text">{t.lists.unused}</p>}
      <Lines
        of={users.map((user) => (
          <>
            <ContainerLink of={user} />
            {user.stack !== null && (
              <>
                {' · '}
                <StackLink name={user.stack} />
              </>
            )}
          </>
        ))}
      />
    </section>
  )
}
