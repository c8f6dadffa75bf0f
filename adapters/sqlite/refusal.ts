/** A call that no store with DynamoDB's API accepts: a bug, or a wrong item. */
export class Refusal extends Error {
  override name = 'Refusal'
}
