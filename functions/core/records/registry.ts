/**
 * The credentials of an image registry. `id` is its address; times are milliseconds since the
 * epoch.
 */
export interface Registry {
  id: string
  username: string
  password: string
  createdAt: number
  updatedAt: number
}
