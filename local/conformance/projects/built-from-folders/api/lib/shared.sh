say() { echo "$GREETING"; }
