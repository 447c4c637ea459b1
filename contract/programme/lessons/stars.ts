/** From how many answers on the mean of a course's stars is shown: of fewer, who gave which could be guessed. */
export const minStarAnswers = 5
