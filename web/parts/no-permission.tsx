import { t } from '../text/text.ts'
import { Empty } from './empty.tsx'

/** A page or a part that the reader may not see: what is missing, and who can give it. */
export function NoPermission({ permission }: { permission: string }) {
  return <Empty title={t.parts.noPermission(permission)}>{t.parts.whoCanGrant}</Empty>
}
