import { z } from 'zod'
import { NewPassword, Username } from '../core/access/fields.ts'

/** The first admin, and the secret that allows creating it. */
export const SetupBody = z
  .strictObject({
    secret: z.string().min(1).max(256).describe('Printed once, at the first start of the service'),
    username: Username.describe('Name of the first admin'),
    password: NewPassword.describe('Password of the first admin, at least 8 characters'),
  })
  .meta({ id: 'SetupBody' })
