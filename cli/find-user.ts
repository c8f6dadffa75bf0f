import type { Client } from './client.ts'
import { CliFailure } from './failure.ts'
import { path } from './http.ts'
import type { User } from './records.ts'
import { clean } from './text.ts'

/** The path of an account, by its user name or its id. Throws a `CliFailure` when nobody has either. */
export async function pathOfUser(service: Client, named: string): Promise<string> {
  const { value: users } = await service.get<User[]>('/users')
  const same = (name: string) => name.toLowerCase() === named.toLowerCase()
  const found = users.find((user) => same(user.username)) ?? users.find(({ id }) => id === named)
  if (!found) throw new CliFailure(1, `there is no user ${clean(named)}`)
  return path`/users/${found.id}`
}
