/** Libraries of others that verify credentials, without types of their own; only what tests use of them. */
declare module '@digitalbazaar/vc-bitstring-status-list' {
  export function checkStatus(options: object): Promise<unknown>
  export function createList(options: object): Promise<{ setStatus(at: number, on: boolean): void }>
  export function createCredential(options: object): Promise<object>
}
declare module '@digitalbazaar/vc-bitstring-status-list-context' {
  export const contexts: Map<string, object>
}
declare module '@digitalbazaar/multikey-context' {
  export const contexts: Map<string, object>
}
declare module '@digitalbazaar/data-integrity' {
  export class DataIntegrityProof {
    constructor(options: { cryptosuite: unknown; signer?: unknown })
  }
}
declare module '@digitalbazaar/eddsa-rdfc-2022-cryptosuite' {
  export const cryptosuite: unknown
}
declare module '@digitalbazaar/vc' {
  export function issue(options: object): Promise<object>
  export function verifyCredential(options: object): Promise<{
    verified: boolean
    error?: { errors?: Error[] }
    statusResult?: { error?: Error; results?: { status: boolean }[] }
  }>
}
