print("crosswind-bench")
