import type { Client } from './client.ts'
import { CliFailure } from './failure.ts'
import { path } from './http.ts'
import type { User } from './records.ts'
import { clean } from './text.ts'

/**
 * Returns the API path of an account, given its user name or id. Throws a `CliFailure` if there is
 * no such account.
 */
export async function pathOfUser(service: Client, named: string): Promise<string> {
  const { value: users } = await service.get<User[]>('/users')
  const same = (name: string) => name.toLowerCase() === named.toLowerCase()
  const found = users.find((user) => same(user.username)) ?? users.find(({ id }) => id === named)
  if (!found) throw new CliFailure(1, `there is no user ${clean(named)}`)
  return path`/users/${found.id}`
}
