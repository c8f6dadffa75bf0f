import type { Update } from '../../data/newer-images.ts'
import { t } from '../../text/text.ts'

/** Returns tags of newer versions in words: "1.31 minor, 2.0 major". */
export const newerTagsText = ({ newer_tags: tags }: Pick<Update, 'newer_tags'>): string =>
  tags.map(({ tag, change }) => t.updates.newerTag(tag, t.updates.changes[change])).join(', ')
