import { present } from '../../adapters/testing/present.ts'

// Before the tests of a file: they and the services that they start use the lagging store.
process.env.SERVICE_DYNAMODB_ENDPOINT = present(process.env.TEST_LAGGING_STORE_ENDPOINT)
