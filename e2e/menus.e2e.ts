import { visitAs } from './visit.ts'

/**
 * The screens of everybody else; a file of its own, so that both halves of the journeys have their share
 * (scripts/test.mjs).
 */
for (const username of ['counselor', 'teacher', 'secretary', 'viewer', 'auditor']) visitAs(username)
