import { z } from 'zod'
import type { ValuesOf } from '../schema.ts'

/** The store. */
export interface StoreConfig {
  store: {
    kind: 'dynamodb' | 'sqlite'
    endpoint: string | undefined
    region: string
    table: string
    /** The directory of an unpacked DynamoDB Local. */
    program: string | undefined
  }
}

export const storeVariables = {
  SERVICE_STORE: z
    .enum(['dynamodb', 'sqlite'])
    .default('dynamodb')
    .describe(
      '`dynamodb`, or `sqlite`: one file in the data directory, without Java. It needs Node.js 22.13',
    ),
  SERVICE_DYNAMODB_ENDPOINT: z
    .url()
    .optional()
    .describe(
      'A store with the DynamoDB API; credentials come from the AWS SDK defaults. Without it, DynamoDB Local is started',
    ),
  SERVICE_DYNAMODB_REGION: z.string().min(1).default('us-east-1').describe('Its region'),
  SERVICE_DYNAMODB_TABLE: z
    .string()
    .regex(/^[A-Za-z0-9_.-]{3,250}$/)
    .default('container-stacks')
    .describe('The table; `<table>-logs` holds the audit rows. Both are created if missing'),
  SERVICE_DYNAMODB_LOCAL_DIR: z
    .string()
    .min(1)
    .optional()
    .describe('The directory of an unpacked DynamoDB Local, instead of an installed one'),
}

export const storeFrom = (values: ValuesOf<typeof storeVariables>): StoreConfig => ({
  store: {
    kind: values.SERVICE_STORE,
    endpoint: values.SERVICE_DYNAMODB_ENDPOINT,
    region: values.SERVICE_DYNAMODB_REGION,
    table: values.SERVICE_DYNAMODB_TABLE,
    program: values.SERVICE_DYNAMODB_LOCAL_DIR,
  },
})
