import type { SourceFolders } from '../api/types.ts'
import { clean } from './text.ts'

/** Returns what a source has: its revision, and its title and author if the source says them. */
export const sourceStateText = ({
  revision,
  subject,
  author,
}: Pick<SourceFolders, 'author' | 'revision' | 'subject'>): string =>
  [revision, subject, author].flatMap((one) => (one === null ? [] : clean(one))).join(', ')
