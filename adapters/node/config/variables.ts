import { z } from 'zod'
import { type AddressesConfig, addressesFrom, addressVariables } from './groups/addresses.ts'
import { type FilesConfig, filesFrom, fileVariables } from './groups/files.ts'
import { type ProcessConfig, processFrom, processVariables } from './groups/process.ts'
import { type SecretsConfig, secretsFrom, secretVariables } from './groups/secrets.ts'
import { type StoreConfig, storeFrom, storeVariables } from './groups/store.ts'

/** All configuration by the name of its environment variable. */
export const Variables = z.object({
  ...fileVariables,
  ...addressVariables,
  ...secretVariables,
  ...storeVariables,
  ...processVariables,
})

/** What the variables say, group by group. */
export interface VariableConfig
  extends FilesConfig,
    AddressesConfig,
    SecretsConfig,
    StoreConfig,
    ProcessConfig {}

export const configFrom = (values: z.output<typeof Variables>): VariableConfig => ({
  ...filesFrom(values),
  ...addressesFrom(values),
  ...secretsFrom(values),
  ...storeFrom(values),
  ...processFrom(values),
})

/** A variable for the reference documentation. */
export interface VariableFacts {
  name: string
  /** Undefined if it is not set, or if it depends on other values. */
  byDefault: string | number | undefined
  description: string
}

/** Returns every variable in the order of declaration. */
export const variableFacts = (): VariableFacts[] =>
  Object.entries(Variables.shape).map(([name, schema]) => {
    const value: unknown = schema.safeParse(undefined).data
    const byDefault = typeof value === 'string' || typeof value === 'number' ? value : undefined
    return { name, byDefault, description: schema.description ?? '' }
  })
