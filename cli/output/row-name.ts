import { isRecord, rowsOf } from './rows.ts'

/** The fields that name a record, in the order in which commands prefer them. */
const naming = ['name', 'username', 'address', 'id', 'path', 'container_id', 'stack']

/** Returns the names of the records in a response, as commands accept them. */
export const namesOf = (value: unknown): string[] => rowsOf(value).flatMap(nameOf)

function nameOf(row: unknown): string | string[] {
  if (typeof row === 'string') return row
  if (!isRecord(row)) return []
  // An image has several names or none. A run is not named by its job.
  const { tags } = row
  if (Array.isArray(tags) && typeof tags[0] === 'string') return tags[0]
  const found = naming
    .map((field) => row[field])
    .find((one) => typeof one === 'string' && one !== '')
  return typeof found === 'string' ? found : []
}
