import { base58 } from '@scure/base'
import { sha256 } from '../base/hashes.ts'
import { loadContext } from './contexts.ts'
import { signBytes, type KeyPair } from './ed25519.ts'

/**
 * Proofs by W3C Data Integrity `eddsa-rdfc-2022`, as Open Badges 3.0 asks for: what is signed is what a document means
 * as RDF, whatever the order of its fields.
 */

interface IntegrityProof {
  type: 'DataIntegrityProof'
  cryptosuite: 'eddsa-rdfc-2022'
  created: string
  verificationMethod: string
  proofPurpose: 'assertionMethod'
  proofValue: string
}

/** A document as RDF in its canonical form (RDFC-1.0). @throws where a term has no meaning in the named contexts */
export async function canonicalRdf(document: object): Promise<string> {
  const { default: jsonld } = await import('jsonld')
  return (jsonld.canonize as unknown as (document: object, options: object) => Promise<string>)(document, {
    algorithm: 'RDFC-1.0',
    format: 'application/n-quads',
    documentLoader: loadContext,
    // a term without meaning would not be signed: refused rather than dropped
    safe: true,
  })
}

/**
 * The 64 bytes that are signed: the hash of the proof without its value, then the hash of the document.
 * @param canonical {@link canonicalRdf}, or the same in a thread of its own
 */
export async function integrityBytes(document: object, proof: object, canonical = canonicalRdf): Promise<Buffer> {
  const context = (document as { '@context': unknown })['@context']
  const config = sha256(await canonical({ '@context': context, ...proof }))
  return Buffer.concat([config, sha256(await canonical(document))])
}

/**
 * A document with its proof.
 * @param created XML moment @param verificationMethod where the public key can be read @param canonical as above
 */
export async function signedDocument<T extends object>(
  document: T,
  { privateKey }: Pick<KeyPair, 'privateKey'>,
  { created, verificationMethod }: Pick<IntegrityProof, 'created' | 'verificationMethod'>,
  canonical = canonicalRdf,
): Promise<T & { proof: IntegrityProof }> {
  const proof = {
    type: 'DataIntegrityProof',
    cryptosuite: 'eddsa-rdfc-2022',
    created,
    verificationMethod,
    proofPurpose: 'assertionMethod',
  } as const
  const signature = signBytes(await integrityBytes(document, proof, canonical), privateKey)
  return { ...document, proof: { ...proof, proofValue: `z${base58.encode(signature)}` } }
}
