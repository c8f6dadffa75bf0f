/** Stands for a value that there is not. A phone leaves it out of the second line of a row. */
export const None = () => <span class="none">–</span>
