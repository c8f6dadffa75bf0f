import type { Actor } from '../access/actor.ts'
import type { Restorer } from '../backups/restore/restore-plan.ts'
import type { UndoAuthor } from '../records/stack-update.ts'

/** Returns the record of an account with the rights that it has now. */
export const undoAuthorOf = ({ account, permissions, scopeTags }: Actor): UndoAuthor => ({
  accountId: account.id,
  username: account.username,
  permissions: [...permissions],
  scopeTags: [...scopeTags],
})

/** Returns an account with the rights that were recorded. */
export const restorerOf = (author: UndoAuthor): Restorer => ({
  account: { id: author.accountId, username: author.username },
  permissions: new Set(author.permissions),
  scopeTags: author.scopeTags,
})
