import { createRequire } from 'node:module'
import type * as Argon2 from '@node-rs/argon2'

// instead of the package, by an alias of vitest.config.ts; asked for by `require`, which the alias does not reach
const real = createRequire(import.meta.url)('@node-rs/argon2') as typeof Argon2

/**
 * Hashes with the least cost there is: tests make and sign in thousands of people, and a hash of the real cost takes a
 * core 20 ms. The cost stands within a hash, so `verify` is the real one and knows both.
 */
export const hash: typeof Argon2.hash = (password, options, abort) =>
  real.hash(password, { ...options, memoryCost: 8, timeCost: 1 }, abort)

export const { verify } = real
