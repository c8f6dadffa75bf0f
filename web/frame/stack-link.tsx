import { useResource } from '../data/cache.ts'
import { can } from '../data/session.ts'
import { Link } from '../parts/link.tsx'
import { None } from '../parts/none.tsx'

/** The name of a stack: a link if it is one of this service, not only a compose project. */
export function StackLink({ name }: { name: string | null }) {
  if (name === null) return <None />
  return can('stacks:read') ? <Known name={name} /> : <span>{name}</span>
}

function Known({ name }: { name: string }) {
  const { value } = useResource('/stacks')
  const isKnown = value.value?.some((stack) => stack.name === name) ?? false
  return isKnown ? (
    <Link href={`/stacks/${name}`} kind="quiet">
      {name}
    </Link>
  ) : (
    <span>{name}</span>
  )
}
