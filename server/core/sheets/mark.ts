/**
 * The hidden sheet with the mark of a template of ours (sign, kind, version in its first row) and the words of the
 * drop-downs.
 */
export const markSheet = '_template'
export const markSign = 'second-classroom'
