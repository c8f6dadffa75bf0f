import type { components } from '../../data/api.types.ts'
import { t } from '../../text/text.ts'

type AuditRow = components['schemas']['AuditRow']
export type Subject = NonNullable<AuditRow['subject']>
export type Named = Pick<Subject, 'kind' | 'id'> & { name: string | null }

/** Names of subjects, by kind and id. */
export type SubjectNames = ReadonlyMap<string, string>

/** A command that runs in a container is about the container. */
const keyOf = ({ kind, id }: Pick<Subject, 'kind' | 'id'>) =>
  `${kind === 'exec' ? 'containers' : kind}/${id}`

/** Returns whether a row is about a container whose name it does not say. */
export const isUnnamedContainer = (subject: Subject | null): boolean =>
  subject?.name === null && ['exec', 'containers'].includes(subject.kind)

/** Returns the names that are known of subjects: the last one of each. */
export const namesOf = (subjects: readonly (Named | null)[]): SubjectNames =>
  new Map(
    subjects.flatMap((one) => (one?.name ? [[keyOf(one), one.name] as [string, string]] : [])),
  )

/** Returns the name of a subject, or what it is with the beginning of its id. */
export function nameOf(subject: Subject | null, names: SubjectNames): string {
  if (subject === null) return '–'
  const { kind, id, name } = subject
  const known = name ?? names.get(keyOf(subject))
  if (known !== undefined) return known
  // Ids are UUIDs, or those of the Engine. Others are names themselves.
  if (!/^[0-9a-f]{8}-[0-9a-f-]{27}$|^[0-9a-f]{64}$/.test(id)) return id
  return t.audit.unnamed(t.audit.kinds[kind as keyof typeof t.audit.kinds] ?? kind, id.slice(0, 8))
}
