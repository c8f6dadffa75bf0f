import { api, unwrap } from './api.ts'
import type { components } from './api.types.ts'
import { resource } from './cache.ts'
import { refresh } from './refresh.ts'

export type User = components['schemas']['User']
export type Role = components['schemas']['Role']
export type Permission = components['schemas']['CreateRoleBody']['permissions'][number]
type UserChange = components['schemas']['UpdateUserBody']

const byId = (id: string) => ({ params: { path: { id } } })
const byName = (name: string) => ({ params: { path: { name } } })

export async function createUser(body: components['schemas']['CreateUserBody']): Promise<User> {
  const saved = await unwrap(api.POST('/users', { body }))
  refresh('/users')
  return saved
}

export async function changeUser(id: string, body: UserChange): Promise<User> {
  const saved = await unwrap(api.PUT('/users/{id}', { ...byId(id), body }))
  refresh('/users')
  return saved
}

export async function removeUser(id: string): Promise<void> {
  await unwrap(api.DELETE('/users/{id}', byId(id)))
  refresh('/users')
}

export async function unlockUser(id: string): Promise<void> {
  await unwrap(api.POST('/users/{id}/unlock', byId(id)))
  refresh('/users')
}

/** Turns off the second factor of a user who lost it. */
export async function resetMfa(id: string): Promise<void> {
  await unwrap(api.DELETE('/users/{id}/mfa', byId(id)))
  refresh('/users')
}

export async function createRole(name: string, permissions: readonly string[]): Promise<Role> {
  const body = { name, permissions: permissions as Permission[] }
  const saved = await unwrap(api.POST('/roles', { body }))
  refresh('/roles')
  return saved
}

export async function changeRole(name: string, permissions: readonly string[]): Promise<Role> {
  const body = { permissions: permissions as Permission[] }
  const saved = await unwrap(api.PUT('/roles/{name}', { ...byName(name), body }))
  await resource('/roles').reload()
  return saved
}

export async function removeRole(name: string): Promise<void> {
  await unwrap(api.DELETE('/roles/{name}', byName(name)))
  refresh('/roles')
}
